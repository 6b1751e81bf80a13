import { NO_LIMITS, OUR_SETTINGS } from '@switchboard/database/connection/session-settings'
import type { Database } from '@switchboard/database/tables'
import type { Kysely } from 'kysely'
import { givenSettings } from './database.queries.ts'
import { ok, warning } from './finding.ts'

/** Settings that Switchboard sets itself in every session. */
const OVERRIDDEN = new Set([...Object.keys(OUR_SETTINGS), ...Object.keys(NO_LIMITS), 'transaction_timeout'])

/** Settings that Switchboard leaves to the operator, with their harmful values and the effect of these values. */
const HARMFUL = new Map<string, readonly [value: RegExp, harm: string]>([
  ['default_transaction_read_only', [/^(on|true|yes|1)$/i, 'No change is accepted.']],
  ['synchronous_commit', [/^(off|false|no|0)$/i, 'A crash of PostgreSQL may lose acknowledged changes.']],
  ['session_replication_role', [/^replica$/i, 'Triggers do not run, so counters and the audit log become wrong.']],
  ['row_security', [/^(off|false|no|0)$/i, 'Statements fail on tables with policies for rows.']],
])

/** Warns about settings of the database or the role that harm Switchboard. Lists all other settings. */
export async function checkGivenSettings(db: Kysely<Database>) {
  const given = await givenSettings(db)
  if (given.length === 0) return ok('The database and the role have none.')
  const texts = given.map(({ owner, name, value }) => `${name}=${value} (${owner})`)
  const harms = given.flatMap(({ owner, name, value }) => {
    const [pattern, harm] = HARMFUL.get(name) ?? []
    return pattern?.test(value) === true ? [`${name}=${value} of the ${owner}: ${harm}`] : []
  })
  if (harms.length > 0) return warning(`${harms.join(' ')} Reset it with: alter database or alter role … reset`)
  const overridden = given.some(({ name }) => OVERRIDDEN.has(name.toLowerCase()))
  return ok(`${texts.join(', ')}.${overridden ? ' Switchboard overrides the settings that it relies on.' : ''}`)
}
