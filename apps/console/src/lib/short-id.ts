/** How much of a tenant's id stands beside its name (spec §9). */
const ID_SHOWN = 8

/** "6f6f1b0e": enough to tell two tenants of one name apart. */
export function shortId(id: string): string {
  return id.slice(0, ID_SHOWN)
}
