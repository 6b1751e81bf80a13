import { readFile } from 'node:fs/promises'
import { CONSTRAINT_SENTENCES } from '@switchboard/database/constraint-sentences'
import { createTestDatabase } from '@switchboard/testing/test-database'
import { sql } from 'kysely'
import { afterAll, expect, inject, test } from 'vitest'

const database = await createTestDatabase(inject('postgresUrl'))
afterAll(() => database.drop())

type Column = { table: string; column: string; type: string; nullable: boolean; generated: boolean }
const byPlace = (one: Column, other: Column) =>
  `${one.table}.${one.column}`.localeCompare(`${other.table}.${other.column}`)

test('the table types are the migrated columns: name, type, null and default', async () => {
  const { rows } = await sql<Column>`
    select table_name as table, column_name as column, data_type as type,
      is_nullable = 'YES' as nullable,
      column_default is not null or is_generated = 'ALWAYS' or is_identity = 'YES' as generated
    from information_schema.columns
    where table_schema = 'public' and table_name not like 'kysely_%'
      and table_name not in (select viewname from pg_views where schemaname = 'public')`.execute(database.db)
  const migrated = rows.map((row) => ({ ...row, type: TYPES[row.type] ?? row.type }))
  expect((await declaredColumns()).toSorted(byPlace)).toEqual(migrated.toSorted(byPlace))
})

test('every unique constraint, of an index or a trigger, has a sentence, and every sentence a constraint', async () => {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_index join pg_class on pg_class.oid = indexrelid
    where indisunique and not indisprimary and relnamespace = 'public'::regnamespace`.execute(database.db)
  // Users do not choose tokens, secrets and ids, and a newer link replaces the older, so duplicates have no sentence.
  const generated = [
    'api_key_refused_origins_unique',
    'sessions_token_hash_unique',
    'links_token_hash_unique',
    'links_once_for_a_person',
    'links_one_user_invitation',
    'links_one_email_change',
    'known_devices_id_unique',
    'api_keys_key_hash_unique',
    'task_webhooks_message_id_unique',
    'service_tokens_token_hash_unique',
    'reviews_id_unique',
    'sso_identities_subject_unique',
    'deletions_by_root',
    'alerts_once',
    'alerts_by_seq',
  ]
  const { rows: raised } = await sql<{ name: string }>`
    select match[1] as name
    from pg_proc cross join regexp_matches(prosrc, 'raise unique_violation using constraint = ''(\\w+)''', 'g') as match
    where pronamespace = 'public'::regnamespace`.execute(database.db)
  const chosenByUsers = [...new Set([...rows, ...raised].map(({ name }) => name))].filter(
    (name) => !generated.includes(name),
  )
  expect(chosenByUsers.toSorted()).toEqual(Object.keys(CONSTRAINT_SENTENCES).toSorted())
})

const TYPES: Record<string, string> = {
  uuid: 'string',
  text: 'string',
  integer: 'number',
  bigint: 'number',
  numeric: 'number',
  boolean: 'boolean',
  bytea: 'Buffer',
  date: 'string',
  ARRAY: 'string[]',
  json: 'json',
  jsonb: 'json',
  'timestamp with time zone': 'moment',
}

/** Columns that only the sealer writes: without a default, and never part of an insert. */
const CHAINED = ['audit_log.seq', 'audit_log.prev_hash', 'audit_log.hash']

/** Reads `tables.ts` and its parts as text: types are gone at run time. */
async function declaredColumns(): Promise<Column[]> {
  const files = ['tables.ts', 'audit-tables.ts', 'second-factor-tables.ts', 'signal-tables.ts', 'team-tables.ts']
  const sources = files.map((file) => readFile(new URL(`../../packages/database/src/${file}`, import.meta.url), 'utf8'))
  const tables = [...(await Promise.all(sources)).join('\n').matchAll(/^ {2}(\w+): \{\n([^}]+)\}/gm)]
  return tables.flatMap(([, table = '', body]) =>
    linesOf(body).map(([column, type]) => ({
      table,
      column,
      type: valueType(type),
      nullable: /\| null>?$/.test(type),
      generated:
        type.startsWith('Generated') ||
        /^JSONColumnType<.+ \| undefined/.test(type) ||
        (type.startsWith('ReadOnly') && !CHAINED.includes(`${table}.${column}`)),
    })),
  )
}

function linesOf(body = ''): [string, string][] {
  return [...body.matchAll(/^ {4}(\w+): (.+)$/gm)].map(([, name = '', type = '']) => [name, type])
}

function valueType(type: string): string {
  const inner = type.replace(/^(?:Generated|ReadOnly)<(.+)>$/, '$1').replace(' | null', '')
  if (inner.endsWith('Moment')) return 'moment'
  if (inner.startsWith('JSONColumnType')) return 'json'
  if (inner.endsWith('[]')) return 'string[]'
  return ['number', 'boolean', 'Buffer'].includes(inner) ? inner : 'string'
}
