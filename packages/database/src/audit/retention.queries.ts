import { type Kysely, sql } from 'kysely'
import type { Database } from '#src/tables.ts'
import { deletedEnd } from './deleted-months.ts'
import { closedMonthOf, deletedMonths } from './deleted-months.queries.ts'

/** The oldest month whose rows are older than the retention. `problem` says why they cannot be deleted yet. */
export type DueMonth = { month: string; problem: string | null }

/**
 * The month that AUDIT_RETENTION deletes next, if it is due. A month is deleted when every log sink that gets it has it, and
 * when one of them that is on has it from its first row on.
 */
export async function dueMonth(db: Kysely<Database>, months: number): Promise<DueMonth | null> {
  const first = deletedEnd(await deletedMonths(db)).seq + 1
  const month = await closedMonthOf(db, { seq: first, months })
  if (month === null) return null
  const sinks = await sinksOf(db, month)
  const holder = sinks.find(({ has_month }) => !has_month)
  if (holder !== undefined)
    return {
      month,
      problem: `The log sink ${JSON.stringify(holder.name)} does not have ${month} yet${reasonOf(holder)}.`,
    }
  if (!sinks.some(({ is_on, first_seq }) => is_on && first_seq <= first))
    return { month, problem: `No log sink that is on has ${month} from its first row on.` }
  return { month, problem: null }
}

type Sink = { name: string; is_on: boolean; first_seq: number; problem: string | null; has_month: boolean }

function reasonOf({ is_on, problem }: Sink): string {
  if (!is_on) return ', because it is off'
  return problem === null ? '' : `, because it fails: ${problem.replace(/\.$/, '')}`
}

/** All sinks, oldest first. A sink has a month when the next row that it gets is of a later one. */
async function sinksOf(db: Kysely<Database>, month: string): Promise<Sink[]> {
  const { rows } = await sql<Sink>`
    select name, is_on, first_seq, problem,
      coalesce(to_char(next.at at time zone 'UTC', 'YYYY-MM') > ${month}, true) as has_month
    from log_sinks left join audit_log as next on next.seq = log_sinks.position + 1
    order by created_at, id`.execute(db)
  return rows
}
