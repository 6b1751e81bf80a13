/** The name under which forms learn of changes of a text: the addendum of a tenant, or the base template. */
export function textId(tenantId: string | null | undefined): string {
  return tenantId === null || tenantId === undefined ? 'base template' : `addendum of ${tenantId}`
}

/** The noun of a text, which has its id. */
export function aboutText(tenantId: string | undefined): { id: string; noun: string } {
  return { id: textId(tenantId), noun: tenantId === undefined ? 'template' : 'addendum' }
}
