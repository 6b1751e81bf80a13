import type { PromptVariables } from '@switchboard/contract/prompts'
import type { DeclaredVariables } from '@switchboard/contract/prompts/variables'
import type { CustomFields } from '@switchboard/contract/tenants/custom-fields'
import { ReadOnlyError } from '@switchboard/database/connection/pool'
import { prepared } from '@switchboard/database/connection/prepared'
import type { Database } from '@switchboard/database/tables'
import { CompiledQuery, type Kysely } from 'kysely'

/** The live texts, and the values of their variables. Without an addendum, its id, its version and its text are null. */
export type LiveTexts = {
  template_id: string
  version: number
  template: string
  declared_variables: DeclaredVariables
  addendum_id: string | null
  addendum_version: number | null
  addendum: string | null
  values: PromptVariables
  custom_fields: CustomFields
}

/** The live texts of a tenant by the type of their prompt. */
export type TenantTexts = ReadonlyMap<string, LiveTexts>

// The long text of a base template comes once, not with each tenant.
const LIVE_TEXTS = prepared(`
  select pg_is_in_recovery() as is_standby, tenants.id as tenant_id, base.prompt_type,
    base.id as template_id, base.version, text.declared_variables,
    case when row_number() over (partition by base.id) = 1 then text.template end as template,
    own.id as addendum_id, own.version as addendum_version, addendum.template as addendum,
    json_build_object(
      'goal', goal, 'tenant_type', tenant_type, 'aggressiveness', aggressiveness, 'tenant_name', tenants.name,
      'subdomain', subdomain
    ) as values,
    custom_fields
  from tenants
  join prompt_templates as base on base.tenant_id is null
  join prompt_versions as text on text.template_id = base.id and text.version = base.version
  left join prompt_templates as own on own.tenant_id = tenants.id and own.prompt_type = base.prompt_type
  left join prompt_versions as addendum on addendum.template_id = own.id and addendum.version = own.version
  where tenants.id = any($1::uuid[])`)

type TextsRow = Omit<LiveTexts, 'template'> & {
  is_standby: boolean
  tenant_id: string
  prompt_type: string
  template: string | null
}

/**
 * The live templates, the live addenda and the variables of tenants, by the id of the tenant. Nothing for a tenant that
 * does not exist. Throws a ReadOnlyError on a standby.
 */
export async function liveTextsOf(
  db: Kysely<Database>,
  tenantIds: readonly string[],
): Promise<ReadonlyMap<string, TenantTexts>> {
  const { rows } = await db.executeQuery<TextsRow>(CompiledQuery.raw(LIVE_TEXTS, [tenantIds]))
  // After a failover the address may lead to a standby, without the latest changes.
  if (rows[0]?.is_standby === true) throw new ReadOnlyError()
  const templates = new Map<string, string>()
  for (const { template_id, template } of rows) if (template !== null) templates.set(template_id, template)
  const found = new Map<string, Map<string, LiveTexts>>()
  for (const { is_standby: _, tenant_id, prompt_type, ...texts } of rows) {
    const template = templates.get(texts.template_id) ?? ''
    found.getOrInsertComputed(tenant_id, () => new Map()).set(prompt_type, { ...texts, template })
  }
  return found
}
