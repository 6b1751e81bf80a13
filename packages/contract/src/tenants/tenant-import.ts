import * as z from 'zod/mini'
import { createTenantBody, SUSPENSION_REASON_MAX, TENANT_TYPES, updateTenantBody } from '#src/tenants.ts'
import { externalId } from '#src/wire/external-id.ts'
import { describeImport, importCell, importWord } from '#src/wire/imports.ts'
import { requiredText } from '#src/wire/text.ts'
import { aggressiveness } from './aggressiveness.ts'
import { CUSTOM_FIELDS_MAX, customFields, FIELD_NAME_MAX, FIELD_VALUE_MAX } from './custom-fields.ts'
import { tags, tagsIn } from './tags.ts'

/** Longest cell of custom fields: JSON, in which a character can be an escape of six; each field has six signs, the object two. */
export const FIELDS_CELL_MAX = CUSTOM_FIELDS_MAX * (FIELD_NAME_MAX + 6 * FIELD_VALUE_MAX + 6) + 2

/** The cells of an imported tenant. */
const tenantCells = z.strictObject({
  /** Name of the tenant. */
  name: importCell(),
  /** Subdomain of the tenant. It identifies the row. */
  subdomain: importCell(),
  /** `product` or `service`. */
  tenant_type: importCell(),
  /** `active` or `inactive`. Missing: active. */
  status: importCell(),
  /** Goal of the tenant. */
  goal: importCell(),
  /** A number from 0 to 10 with one decimal. */
  aggressiveness: importCell(),
  /** Tags, separated by blanks or commas. */
  tags: importCell(),
  /** Custom fields as a JSON object of texts. */
  custom_fields: importCell(FIELDS_CELL_MAX),
  /** Id of the tenant in another system. No other tenant may have it. */
  external_id: importCell(),
  /** Why an inactive tenant is suspended. */
  suspension_reason: importCell(),
  /** End of the suspension, in UTC. */
  suspended_until: importCell(),
})
/** The columns of an imported file of tenants, as in the exported file. */
export type TenantImportColumn = keyof z.infer<typeof tenantCells>

const FIELDS_RULE = 'Use a JSON object, such as {"plan":"Gold"}.'
const END_RULE = 'Use a time in UTC, such as 2030-11-30T12:00:00Z.'
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
  tags: z.optional(z.pipe(z.pipe(z.string(), z.transform(tagsIn)), tags)),
  custom_fields: z.optional(z.pipe(z.pipe(z.string(), z.transform(fieldsIn)), customFields)),
  external_id: z.optional(externalId),
  suspension_reason: z.optional(requiredText(SUSPENSION_REASON_MAX, 'A reason has at least one character.')),
  suspended_until: z.optional(
    z.pipe(
      z.string().check(z.trim(), z.iso.datetime(END_RULE)),
      z.transform((text) => new Date(text).toISOString()),
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

/** The JSON object in a cell. The servers check the characters of cells before JSON is parsed, so escapes are checked here. */
function fieldsIn(cell: string, { issues }: z.core.ParsePayload): unknown {
  try {
    const fields: unknown = JSON.parse(cell)
    const isText = (value: unknown) => typeof value !== 'string' || (value.isWellFormed() && !value.includes('\0'))
    if (typeof fields === 'object' && fields !== null && !Array.isArray(fields) && Object.values(fields).every(isText))
      return fields
  } catch {
    // The issue below has the sentence.
  }
  issues.push({ code: 'custom', message: FIELDS_RULE, input: cell })
  return {}
}
