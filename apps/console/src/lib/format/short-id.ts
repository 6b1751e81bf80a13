/** Length of a shortened tenant id. */
const ID_SHOWN = 8

/** "6f6f1b0e": distinguishes tenants with the same name. */
export function shortId(id: string): string {
  return id.slice(0, ID_SHOWN)
}
