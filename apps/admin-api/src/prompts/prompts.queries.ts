import {
  PROMPT_VERSION_SORTS,
  type PromptTemplate,
  type PromptVersion,
  type PromptVersionListQuery,
} from '@switchboard/contract/prompts'
import type { Database } from '@switchboard/database/tables'
import { type Insertable, type Kysely, sql, type Transaction } from 'kysely'
import { allRows } from '#src/lists/all-rows.queries.ts'
import { type Page, readPage } from '#src/lists/page.queries.ts'

const COLUMNS = [
  'prompt_versions.id',
  'prompt_versions.version',
  'note',
  'size',
  'author_email',
  'restored_from',
  'prompt_versions.created_at',
] as const

/** The live version of every template, by type. */
export async function liveTemplates(db: Kysely<Database>): Promise<PromptTemplate[]> {
  return await templates(db)
    .whereRef('prompt_versions.version', '=', 'prompt_templates.version')
    .orderBy('prompt_type')
    .execute()
}

export async function templateVersion(
  db: Kysely<Database>,
  promptType: string,
  version: number,
): Promise<PromptTemplate | undefined> {
  return await templates(db)
    .where('prompt_type', '=', promptType)
    .where('prompt_versions.version', '=', version)
    .executeTakeFirst()
}

function templates(db: Kysely<Database>) {
  return db
    .selectFrom('prompt_versions')
    .innerJoin('prompt_templates', 'prompt_templates.id', 'template_id')
    .select([...COLUMNS, 'prompt_type', 'template'])
}

export async function pageOfVersions(
  db: Kysely<Database>,
  promptType: string,
  query: PromptVersionListQuery & { limit: number },
): Promise<Page<PromptVersion>> {
  return await readPage(db, versionsOf(db, promptType), { ...query, sort: PROMPT_VERSION_SORTS[0] })
}

export function allVersions(db: Kysely<Database>, promptType: string): AsyncGenerator<PromptVersion[]> {
  return allRows(db, versionsOf(db, promptType).orderBy('version', 'desc'))
}

/** Without a join, so that `id` and `version` are unambiguous in the page query. */
function versionsOf(db: Kysely<Database>, promptType: string) {
  return db
    .selectFrom('prompt_versions')
    .select(COLUMNS)
    .select(sql<string>`${promptType}::text`.as('prompt_type'))
    .where('template_id', '=', (where) =>
      where.selectFrom('prompt_templates').select('prompt_templates.id').where('prompt_type', '=', promptType),
    )
}

/** Template types, by name. */
export async function promptTypes(db: Kysely<Database>): Promise<string[]> {
  const rows = await db.selectFrom('prompt_templates').select('prompt_type').orderBy('prompt_type').execute()
  return rows.map(({ prompt_type }) => prompt_type)
}

/** Serializes changes of a template. Undefined for an unknown type. */
export async function lockTemplate(trx: Transaction<Database>, promptType: string) {
  return await trx
    .selectFrom('prompt_templates')
    .select(['id', 'version'])
    .where('prompt_type', '=', promptType)
    .forUpdate()
    .executeTakeFirst()
}

/** Writes a version and makes it live. */
export async function insertVersion(
  trx: Transaction<Database>,
  version: Insertable<Database['prompt_versions']>,
): Promise<void> {
  await trx.insertInto('prompt_versions').values(version).execute()
  await trx
    .updateTable('prompt_templates')
    .set({ version: version.version })
    .where('id', '=', version.template_id)
    .execute()
}

export async function countActiveTenants(db: Kysely<Database>): Promise<number> {
  const { count } = await db
    .selectFrom('tenants')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('status', '=', 'active')
    .executeTakeFirstOrThrow()
  return count
}

export async function tenantValues(db: Kysely<Database>, tenantId: string) {
  return await db
    .selectFrom('tenants')
    .select(['goal', 'tenant_type', 'aggressiveness'])
    .where('id', '=', tenantId)
    .executeTakeFirst()
}
