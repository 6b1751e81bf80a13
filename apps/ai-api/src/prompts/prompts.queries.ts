import type { PromptVariables } from '@switchboard/contract/prompts'
import type { DeclaredVariables } from '@switchboard/contract/prompts/variables'
import type { CustomFields } from '@switchboard/contract/tenants/custom-fields'
import { ReadOnlyError } from '@switchboard/database/connection/pool'
import type { Database } from '@switchboard/database/tables'
import { type Kysely, sql } from 'kysely'

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

/**
 * The live templates, the live addenda and the variables of tenants, by the id of the tenant. Nothing for a tenant that
 * does not exist. Throws a ReadOnlyError on a standby.
 */
export async function liveTextsOf(
  db: Kysely<Database>,
  tenantIds: readonly string[],
): Promise<ReadonlyMap<string, TenantTexts>> {
  const rows = await db
    .selectFrom('prompt_templates as base')
    .innerJoin('prompt_versions as text', (join) =>
      join.onRef('text.template_id', '=', 'base.id').onRef('text.version', '=', 'base.version'),
    )
    .innerJoin('tenants', (join) => join.on(sql<boolean>`tenants.id = any(${tenantIds}::uuid[])`))
    .leftJoin('prompt_templates as own', (join) =>
      join.onRef('own.tenant_id', '=', 'tenants.id').onRef('own.prompt_type', '=', 'base.prompt_type'),
    )
    .leftJoin('prompt_versions as addendum', (join) =>
      join.onRef('addendum.template_id', '=', 'own.id').onRef('addendum.version', '=', 'own.version'),
    )
    .select(['base.prompt_type', 'base.id as template_id', 'base.version', 'text.declared_variables'])
    // The long text of a template comes once, not with each tenant.
    .select(
      sql<string | null>`case when row_number() over (partition by base.id) = 1 then text.template end`.as('template'),
    )
    .select(['own.id as addendum_id', 'own.version as addendum_version', 'addendum.template as addendum'])
    .select(['tenants.id as tenant_id', 'goal', 'tenant_type', 'aggressiveness', 'tenants.name as tenant_name'])
    .select(['subdomain', 'custom_fields'])
    .select(sql<boolean>`pg_is_in_recovery()`.as('is_standby'))
    .where('base.tenant_id', 'is', null)
    .execute()
  // After a failover the address may lead to a standby, without the latest changes.
  if (rows.some(({ is_standby }) => is_standby)) throw new ReadOnlyError()
  const templates = new Map<string, string>()
  for (const { template_id, template } of rows) if (template !== null) templates.set(template_id, template)
  const found = new Map<string, Map<string, LiveTexts>>()
  for (const { is_standby: _, tenant_id, prompt_type, ...row } of rows) {
    const { goal, tenant_type, aggressiveness, tenant_name, subdomain, ...texts } = row
    const values = { goal, tenant_type, aggressiveness, tenant_name, subdomain }
    const template = templates.get(texts.template_id) ?? ''
    found.getOrInsertComputed(tenant_id, () => new Map()).set(prompt_type, { ...texts, template, values })
  }
  return found
}
