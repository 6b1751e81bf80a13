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

/**
 * The live template, the live addendum and the variables of a tenant, undefined without the template or the
 * tenant. Throws a ReadOnlyError on a standby.
 */
export async function liveTextsFor(
  db: Kysely<Database>,
  promptType: string,
  tenantId: string,
): Promise<LiveTexts | undefined> {
  const found = await db
    .selectFrom('prompt_templates as base')
    .innerJoin('prompt_versions as text', (join) =>
      join.onRef('text.template_id', '=', 'base.id').onRef('text.version', '=', 'base.version'),
    )
    .innerJoin('tenants', (join) => join.on('tenants.id', '=', tenantId))
    .leftJoin('prompt_templates as own', (join) =>
      join.onRef('own.tenant_id', '=', 'tenants.id').onRef('own.prompt_type', '=', 'base.prompt_type'),
    )
    .leftJoin('prompt_versions as addendum', (join) =>
      join.onRef('addendum.template_id', '=', 'own.id').onRef('addendum.version', '=', 'own.version'),
    )
    .select(['base.id as template_id', 'base.version', 'text.template', 'text.declared_variables'])
    .select(['own.id as addendum_id', 'own.version as addendum_version', 'addendum.template as addendum'])
    .select(['goal', 'tenant_type', 'aggressiveness', 'tenants.name as tenant_name', 'subdomain', 'custom_fields'])
    .select(sql<boolean>`pg_is_in_recovery()`.as('is_standby'))
    .where('base.tenant_id', 'is', null)
    .where('base.prompt_type', '=', promptType)
    .executeTakeFirst()
  if (found === undefined) return undefined
  const { is_standby, goal, tenant_type, aggressiveness, tenant_name, subdomain, ...texts } = found
  // After a failover the address may lead to a standby, without the latest changes.
  if (is_standby) throw new ReadOnlyError()
  return { ...texts, values: { goal, tenant_type, aggressiveness, tenant_name, subdomain } }
}
