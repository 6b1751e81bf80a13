import { connect } from '@switchboard/database/connection/connect'
import { verifyAuditChain } from '@switchboard/database/audit/audit-chain'
import { auditRowOf, writeAudit } from '@switchboard/database/audit/audit.queries'
import { sealAudit } from '@switchboard/database/audit/seal-audit'
import { migrate } from '@switchboard/database/migrate'
import type { Database } from '@switchboard/database/tables'
import { makeManyTenants } from '@switchboard/testing/factories'
import { type Kysely, sql, type Transaction } from 'kysely'
import { startWorker } from '#tests/server-process.ts'
import { amount, type Figure } from './measure.ts'
import { withPeakMemory } from './memory.ts'
import { createDatabase, withPostgres } from './with-postgres.ts'

const WRITERS = [1, 8, 64] as const
/** Rounds of each way of writing, in alternation, and their length. */
const ROUNDS = 5
const ROUND_MS = 2_000
const ENTRIES = 1_000_000
const ENTRIES_PER_COMMIT = 1_000
const actor = { id: null, email: 'ada@example.com', address: '192.0.2.1', request_id: null }

/** Changes of tenants with and without an audit entry while a worker seals, and the sealing of a million entries. */
export async function benchAudit(): Promise<Figure[]> {
  return await withPostgres(
    async (postgresUrl) => [
      // First, because the memory of the process grows with the writers.
      ...(await benchSealing(await createDatabase(postgresUrl, 'sealing'))),
      ...(await benchWriters(await createDatabase(postgresUrl, 'writers'))),
    ],
    { settings: { max_connections: '100' } },
  )
}

/** A change of the tenant `id`: it may write an audit entry. */
type Change = (trx: Transaction<Database>, id: string) => Promise<unknown>

const entryOf = (id: string) => ({
  action: 'tenants.update',
  target: { type: 'tenant', id, name: 'Tenant', tenant_id: null } as const,
  changes: { goal: { before: 'help', after: 'sell' } },
})
const WAYS = {
  plain: async () => undefined,
  audited: async (trx, id) => await writeAudit(trx, new Date(), actor, entryOf(id)),
  /** As every change before entries were sealed in batches. */
  chained: async (trx, id) =>
    await trx
      .insertInto('audit_log')
      .values(auditRowOf(new Date(), actor, entryOf(id)))
      .execute(),
} satisfies Record<string, Change>

async function benchWriters(databaseUrl: string): Promise<Figure[]> {
  const db = connect(databaseUrl, { max: Math.max(...WRITERS) })
  try {
    await migrate(db)
    await makeManyTenants(db, Math.max(...WRITERS))
    const ids = (await db.selectFrom('tenants').select('id').execute()).map(({ id }) => id)
    const worker = startWorker({ databaseUrl })
    const figures: Figure[] = []
    for (const writers of WRITERS) {
      const perSecond = { plain: 0, audited: 0, chained: 0 }
      for (let round = 0; round < ROUNDS; round += 1)
        for (const way of ['plain', 'audited', 'chained'] as const)
          perSecond[way] += (await changesPerSecond(db, ids.slice(0, writers), WAYS[way])) / ROUNDS
      figures.push(
        least(`changes with ${writers} writers: audited / plain`, perSecond, 'plain', writers === 64 ? 0.7 : 0),
      )
      figures.push(least(`changes with ${writers} writers: sealed later / chained at once`, perSecond, 'chained', 1))
    }
    worker.child.kill('SIGTERM')
    await worker.ended
    await sealAll(db)
    const check = await verifyAuditChain(db)
    if (check.state !== 'holds') throw new Error('The chain does not hold.')
    return figures
  } finally {
    await db.destroy()
  }
}

async function changesPerSecond(db: Kysely<Database>, ids: readonly string[], change: Change): Promise<number> {
  const startedAt = performance.now()
  let changes = 0
  await Promise.all(
    ids.map(async (id) => {
      while (performance.now() - startedAt < ROUND_MS) {
        await db.transaction().execute(async (trx) => {
          // As a service: lock, change, audit entry.
          await trx.selectFrom('tenants').selectAll().where('id', '=', id).forUpdate().executeTakeFirstOrThrow()
          await trx
            .updateTable('tenants')
            .set({ goal: `${changes}` })
            .where('id', '=', id)
            .execute()
          await change(trx, id)
        })
        changes += 1
      }
    }),
  )
  return changes / ((performance.now() - startedAt) / 1_000)
}

/** A figure with a minimum quotient of two rates. */
function least(
  what: string,
  rates: Record<keyof typeof WAYS, number>,
  base: keyof typeof WAYS,
  atLeast: number,
): Figure {
  const quotient = rates.audited / rates[base]
  const measured = `${rates.audited.toFixed(0)} / ${rates[base].toFixed(0)} per s = ${quotient.toFixed(2)}`
  return { what, measured, figure: `≥ ${atLeast}`, holds: quotient >= atLeast }
}

async function benchSealing(databaseUrl: string): Promise<Figure[]> {
  const db = connect(databaseUrl, { max: 2, statementTimeoutMs: 3_600_000 })
  try {
    await migrate(db)
    await sql`
      do $$ begin
        for n in 1..${sql.lit(ENTRIES / ENTRIES_PER_COMMIT)} loop
          insert into audit_unsealed (at, actor_email, action, outcome, target_type, target_id, target_name, changes)
          select now(), 'ada@example.com', 'tenants.update', 'done', 'tenant', gen_random_uuid(), 'Tenant ' || part,
            '{"goal": {"before": "help", "after": "sell"}}'
          from generate_series(1, ${sql.lit(ENTRIES_PER_COMMIT)}) as part;
          commit;
        end loop;
      end $$`.execute(db)
    const before = process.memoryUsage.rss() / 2 ** 20
    const startedAt = performance.now()
    const { result, megabytes } = await withPeakMemory('self', () => sealAll(db))
    const seconds = (performance.now() - startedAt) / 1_000
    if (result !== ENTRIES) throw new Error(`${result} entries were sealed.`)
    return [
      amount('1,000,000 waiting entries sealed', seconds, 's', 600),
      amount('growth of the memory of the sealer meanwhile', megabytes - before, 'MB', 200),
    ]
  } finally {
    await db.destroy()
  }
}

/** Seals all entries as a worker does, call by call. Returns their number. */
async function sealAll(db: Kysely<Database>): Promise<number> {
  let sum = 0
  for (;;) {
    const { entries } = await sealAudit(db)
    if (entries === 0) return sum
    sum += entries
  }
}
