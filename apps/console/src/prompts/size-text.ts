/** A size in bytes as people read it: "840 B", "2.1 kB". */
export function sizeText(bytes: number): string {
  return bytes < 1_000 ? `${bytes} B` : `${(bytes / 1_000).toFixed(1)} kB`
}
