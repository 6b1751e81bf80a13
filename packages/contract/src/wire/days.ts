export const DAY_MS = 86_400_000

/** The UTC day of a time in milliseconds: "2026-11-20". */
export function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}
