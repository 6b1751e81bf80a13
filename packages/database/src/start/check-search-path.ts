import { type Kysely, sql } from 'kysely'
import type { Database } from '#src/tables.ts'
import { StartError } from './start-error.ts'

type SearchPath = {
  role: string
  search_path: string
  /** The schemas where names are looked up, in order, with the implicit ones. */
  schemas: string[]
  /** The first of them that is not a system schema. New tables are created there. */
  first: string | null
  /** The schemas that have the tables of Switchboard. */
  homes: string[]
}

/**
 * Refuses a search path with another schema before the tables of Switchboard or the functions of PostgreSQL, because
 * forged tables or functions in that schema would be used instead. With `isInstalled`, also refuses a database without
 * an installation.
 */
export async function checkSearchPath(db: Kysely<Database>, { isInstalled }: { isInstalled: boolean }): Promise<void> {
  const found = await searchPathOf(db)
  const { role, search_path, schemas, first, homes } = found
  const start = `The search path ${search_path} of the role ${role}`
  const reset = `Correct it, such as with: alter role "${role}" reset search_path`
  const functionsOf = schemas.find((name) => !name.startsWith('pg_temp'))
  if (functionsOf !== 'pg_catalog')
    throw new StartError(`${start} puts ${functionsOf} before the functions of PostgreSQL in pg_catalog. ${reset}`)
  const reached = homes.find((home) => schemas.includes(home))
  const [home] = reached === undefined ? homes : [reached]
  if (home === undefined || (reached === undefined && !isInstalled)) return
  if (reached === undefined)
    throw new StartError(`${start} does not have the schema ${home}, where the tables of Switchboard are. ${reset}`)
  if (first !== null && !homes.includes(first))
    throw new StartError(`${start} begins with ${first}, but the tables of Switchboard are in ${home}. ${reset}`)
}

/** Names everything with its schema, so that no forged function or operator is used. */
async function searchPathOf(db: Kysely<Database>): Promise<SearchPath> {
  const { rows } = await sql<SearchPath>`
    select current_user::pg_catalog.text as role, pg_catalog.current_setting('search_path') as search_path,
      pg_catalog.current_schemas(true)::pg_catalog.text[] as schemas, pg_catalog.current_schema()::pg_catalog.text as first,
      array(
        select nspname::pg_catalog.text from pg_catalog.pg_class
        join pg_catalog.pg_namespace on pg_namespace.oid operator(pg_catalog.=) relnamespace
        where relname operator(pg_catalog.=) any (array['migrations', 'audit_head', 'audit_log'])
        group by nspname having pg_catalog.count(*) operator(pg_catalog.=) 3 order by 1
      ) as homes`.execute(db)
  const [found] = rows
  if (found === undefined) throw new Error('PostgreSQL returned no row.')
  return found
}
