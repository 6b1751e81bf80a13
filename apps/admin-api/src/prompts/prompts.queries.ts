import {
  PROMPT_VERSION_SORTS,
  type PromptTemplate,
  type PromptVersion,
  type PromptVersionListQuery,
} from '@switchboard/contract/prompts'
import type { Database } from '@switchboard/database/tables'
import { type Insertable, type Kysely, sql, type SqlBool, type Transaction } from 'kysely'
import { type Page, readPage } from '#src/lists/page.queries.ts'
import { allRows, orderOf } from '#src/lists/rows.queries.ts'

/** A text with versions: the base template of a type or, with a tenant, the addendum of the tenant. */
export type PromptDocument = { prompt_type: string; tenant_id: string | null }

const COLUMNS = [
  'prompt_versions.id',
  'prompt_versions.version',
  'note',
  'size',
  'author_email',
  'declared_variables',
  'restored_from',
  'prompt_versions.created_at',
] as const

/** The live version of every base template, or of the tenant's addenda, by type. */
export async function liveTemplates(db: Kysely<Database>, tenantId: string | null): Promise<PromptTemplate[]> {
  return await templates(db)
    .where(isOfTenant(tenantId))
    .whereRef('prompt_versions.version', '=', 'prompt_templates.version')
    .orderBy('prompt_type')
    .execute()
}

export async function templateVersion(
  db: Kysely<Database>,
  { prompt_type, tenant_id }: PromptDocument,
  version: number,
): Promise<PromptTemplate | undefined> {
  return await templates(db)
    .where('prompt_type', '=', prompt_type)
    .where(isOfTenant(tenant_id))
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
  document: PromptDocument,
  query: PromptVersionListQuery & { limit: number },
): Promise<Page<PromptVersion>> {
  return await readPage(db, versionsOf(db, document), orderOf(PROMPT_VERSION_SORTS[0]), query)
}

export function allVersions(db: Kysely<Database>, document: PromptDocument): AsyncGenerator<PromptVersion[]> {
  return allRows(db, versionsOf(db, document).orderBy('version', 'desc'))
}

/** Without a join, so that `id` and `version` are unambiguous in the page query. */
function versionsOf(db: Kysely<Database>, { prompt_type, tenant_id }: PromptDocument) {
  return db
    .selectFrom('prompt_versions')
    .select(COLUMNS)
    .select(sql<string>`${prompt_type}::text`.as('prompt_type'))
    .where('template_id', '=', (where) =>
      where
        .selectFrom('prompt_templates')
        .select('prompt_templates.id')
        .where('prompt_type', '=', prompt_type)
        .where(isOfTenant(tenant_id)),
    )
}

/** Two conditions with an index; `is not distinct from` has none. */
function isOfTenant(tenantId: string | null) {
  return tenantId === null
    ? sql<SqlBool>`prompt_templates.tenant_id is null`
    : sql<SqlBool>`prompt_templates.tenant_id = ${tenantId}`
}

/** Types of base templates, by name. */
export async function promptTypes(db: Kysely<Database>): Promise<string[]> {
  const rows = await db
    .selectFrom('prompt_templates')
    .select('prompt_type')
    .where(isOfTenant(null))
    .orderBy('prompt_type')
    .execute()
  return rows.map(({ prompt_type }) => prompt_type)
}

/** Serializes changes of a text. Undefined for an unknown type, and for a tenant without an addendum. */
export async function lockTemplate(trx: Transaction<Database>, { prompt_type, tenant_id }: PromptDocument) {
  return await trx
    .selectFrom('prompt_templates')
    .select(['id', 'version'])
    .where('prompt_type', '=', prompt_type)
    .where(isOfTenant(tenant_id))
    .forUpdate()
    .executeTakeFirst()
}

/** Adds a text whose first version follows in the same transaction. Returns its id. */
export async function insertTemplate(trx: Transaction<Database>, document: PromptDocument): Promise<string> {
  const { id } = await trx
    .insertInto('prompt_templates')
    .values({ ...document, version: 1 })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
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
    .select(['goal', 'tenant_type', 'aggressiveness', 'name as tenant_name', 'subdomain', 'custom_fields'])
    .where('id', '=', tenantId)
    .executeTakeFirst()
}

/** The names among these that are custom fields of any tenant. */
export async function usedFieldNames(db: Kysely<Database>, used: readonly { name: string }[]): Promise<string[]> {
  if (used.length === 0) return []
  const names = used.map(({ name }) => name)
  const { rows } = await sql<{ name: string }>`
    select used.name from unnest(${names}::text[]) as used (name)
    where exists (select from tenants where custom_fields ? used.name)`.execute(db)
  return rows.map(({ name }) => name)
}
