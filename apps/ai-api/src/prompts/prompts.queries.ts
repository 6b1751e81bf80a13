import type { PromptVariables } from '@switchboard/contract/prompts'
import type { CustomFields } from '@switchboard/contract/tenants/custom-fields'
import type { Database } from '@switchboard/database/tables'
import type { Kysely } from 'kysely'

/** The live texts, and the values of their variables. Without an addendum, its version and its text are null. */
type LiveTexts = Omit<PromptVariables, 'current_heat_category_name'> & {
  version: number
  template: string
  addendum_version: number | null
  addendum: string | null
  custom_fields: CustomFields
}

/** The live template, the live addendum and the variables of a tenant. Undefined without the template or the tenant. */
export async function liveTextsFor(
  db: Kysely<Database>,
  promptType: string,
  tenantId: string,
): Promise<LiveTexts | undefined> {
  return await db
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
    .select(['base.version', 'text.template', 'own.version as addendum_version', 'addendum.template as addendum'])
    .select(['goal', 'tenant_type', 'aggressiveness', 'tenants.name as tenant_name', 'subdomain', 'custom_fields'])
    .where('base.tenant_id', 'is', null)
    .where('base.prompt_type', '=', promptType)
    .executeTakeFirst()
}
