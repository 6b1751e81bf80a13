import type { PromptVariables } from '@switchboard/contract/prompts'
import type { Database } from '@switchboard/database/tables'
import type { Kysely } from 'kysely'

/** The live template and the variables of a tenant. Undefined without the template or the tenant. */
export async function liveTemplateFor(
  db: Kysely<Database>,
  promptType: string,
  tenantId: string,
): Promise<({ version: number; template: string } & Omit<PromptVariables, 'current_heat_category_name'>) | undefined> {
  return await db
    .selectFrom('prompt_templates')
    .innerJoin('prompt_versions', (join) =>
      join
        .onRef('prompt_versions.template_id', '=', 'prompt_templates.id')
        .onRef('prompt_versions.version', '=', 'prompt_templates.version'),
    )
    .innerJoin('tenants', (join) => join.on('tenants.id', '=', tenantId))
    .select(['prompt_templates.version', 'template', 'goal', 'tenant_type', 'aggressiveness'])
    .where('prompt_type', '=', promptType)
    .executeTakeFirst()
}
