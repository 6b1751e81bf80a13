import { sql } from 'kysely'
import { jobSchema } from '#src/connection/job-database.ts'
import { IS_READ_ONLY, ReadOnlyError } from '#src/connection/pool.ts'
import { type Checked, placeOf } from './start-checks.ts'
import { StartError } from './start-error.ts'

type Rights = {
  role: string
  encoding: string
  search_path: string
  /** The schema for new tables; null without an existing schema in the search path. */
  schema: string | null
  may_create_tables: boolean
  may_create_schemas: boolean
  has_trigrams: boolean
  /** The schema of pg_trgm, possibly out of reach. */
  trigram_schema: string | null
  is_trigram_installable: boolean
  is_read_only: boolean
}

/**
 * Refuses a read-only database, a database whose encoding cannot store every text, and a role without the rights for
 * migrations and jobs.
 */
export async function checkRights({ db, url, variable }: Checked): Promise<void> {
  const { rows } = await sql<Rights>`
    select current_user as role, current_setting('server_encoding') as encoding,
      current_setting('search_path') as search_path, current_schema() as schema,
      coalesce(has_schema_privilege(current_schema(), 'CREATE'), false) as may_create_tables,
      has_database_privilege(current_database(), 'CREATE') as may_create_schemas,
      exists (select from pg_opclass where opcname = 'gin_trgm_ops' and pg_opclass_is_visible(oid)) as has_trigrams,
      (select extnamespace::regnamespace::text from pg_extension where extname = 'pg_trgm') as trigram_schema,
      exists (select from pg_available_extensions where name = 'pg_trgm') as is_trigram_installable,
      ${sql.raw(IS_READ_ONLY)} as is_read_only`.execute(db)
  const [rights] = rows
  if (rights === undefined) return
  const place = placeOf(url)
  if (rights.is_read_only)
    throw new StartError(
      `The database ${place} is read-only: a standby, or changes are switched off. Check ${variable}.`,
      { cause: new ReadOnlyError() },
    )
  const jobs = await jobSchema(db)
  const problem =
    rightsProblem(rights) ?? (jobs.exists || rights.may_create_schemas ? null : schemaProblem(rights, jobs.name))
  if (problem !== null) throw new StartError(`The database ${place} ${problem}`)
}

function rightsProblem(rights: Rights): string | null {
  const { role, encoding, search_path, schema, trigram_schema } = rights
  if (encoding !== 'UTF8')
    return `has the encoding ${encoding}; create it with UTF8. Run: create database NAME encoding 'UTF8' template template0`
  if (schema === null)
    return `has no schema of the search path ${search_path}. Run: create schema NAME authorization "${role}"`
  if (!rights.may_create_tables)
    return `does not let ${role} create tables in the schema ${schema}. Run: grant create on schema "${schema}" to "${role}"`
  if (rights.has_trigrams) return null
  if (trigram_schema !== null)
    return `has pg_trgm in the schema ${trigram_schema}, which is not on the search path ${search_path}. Add it there.`
  if (!rights.is_trigram_installable) return 'has no extension pg_trgm. Install the contrib modules of PostgreSQL.'
  return rights.may_create_schemas
    ? null
    : `does not let ${role} create the extension pg_trgm. Run as its owner: create extension pg_trgm schema "${schema}"`
}

function schemaProblem({ role }: Rights, name: string): string {
  return `does not let ${role} create the schema ${name} of the jobs. Run: create schema "${name}" authorization "${role}"`
}
