import * as z from 'zod/mini'
import { createTenantBody, TENANT_TYPES, updateTenantBody } from '#src/tenants.ts'
import { describeImport, importCell, importWord } from '#src/wire/imports.ts'
import { aggressiveness } from './aggressiveness.ts'

/** The cells of an imported tenant. */
const tenantCells = z.strictObject({
  name: importCell(),
  subdomain: importCell(),
  tenant_type: importCell(),
  status: importCell(),
  goal: importCell(),
  aggressiveness: importCell(),
})
/** The columns of an imported file of tenants, as in the exported file. */
export type TenantImportColumn = keyof z.infer<typeof tenantCells>

const AGGRESSIVENESS_RULE = 'Use a number from 0 to 10, such as 5.5.'

/** An imported tenant. The subdomain is its key. */
export const importedTenant = z.strictObject({
  name: createTenantBody.shape.name,
  subdomain: createTenantBody.shape.subdomain,
  tenant_type: importWord(TENANT_TYPES, 'Use product or service.'),
  status: z.optional(importWord(['active', 'inactive'], 'Use active or inactive.')),
  goal: updateTenantBody.shape.goal,
  aggressiveness: z.optional(
    z.pipe(
      z.pipe(z.string().check(z.trim(), z.regex(/^\d{1,2}(?:\.\d+)?$/, AGGRESSIVENESS_RULE)), z.transform(Number)),
      aggressiveness,
    ),
  ),
})
export type ImportedTenant = z.infer<typeof importedTenant>

/**
 * Creates the tenants whose subdomains are free, in one transaction, each with an audit entry. Existing tenants never change,
 * so a row can be sent again. An empty cell counts as missing, and a refused row does not stop the others.
 */
export const importTenants = describeImport(
  { name: 'tenants', plural: 'tenants', url: '/api/v1/admin/tenants', tag: 'Tenants' },
  tenantCells,
)
