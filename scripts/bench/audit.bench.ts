import { connect } from '@switchboard/database/connection/connect'
import { verifyAuditChain } from '@switchboard/database/audit/audit-chain'
import { writeAudit } from '@switchboard/database/audit/audit.queries'
import { sealAudit } from '@switchboard/database/audit/seal-audit'
import { migrate } from '@switchboard/database/migrate'
import type { Database } from '@switchboard/database/tables'
import { makeManyTenants } from '@switchboard/testing/factories'
import type { Kysely, Transaction } from 'kysely'
import { startWorker } from '#tests/server-process.ts'
import type { Figure } from './measure.ts'
import { withPostgres } from './with-postgres.ts'

const WRITERS = 64
/** Rounds of each way of writing, in alternation, and their length. */
const ROUNDS = 5
const ROUND_MS = 2_000
/** Minimum throughput, as a share of the throughput without audit entries. */
const LEAST = 0.5
const actor = { id: null, email: 'ada@example.com', address: '192.0.2.1', request_id: null }

/** Changes of tenants with and without an audit entry, while a worker seals the entries. */
export async function benchAudit(): Promise<Figure[]> {
  return await withPostgres(benchWriters, { settings: { max_connections: '100' } })
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
} satisfies Record<string, Change>

async function benchWriters(databaseUrl: string): Promise<Figure[]> {
  const db = connect(databaseUrl, { max: WRITERS })
  try {
    await migrate(db)
    await makeManyTenants(db, WRITERS)
    const ids = (await db.selectFrom('tenants').select('id').execute()).map(({ id }) => id)
    const worker = startWorker({ databaseUrl })
    const perSecond = { plain: 0, audited: 0 }
    for (let round = 0; round < ROUNDS; round += 1)
      for (const way of ['plain', 'audited'] as const)
        perSecond[way] += (await changesPerSecond(db, ids, WAYS[way])) / ROUNDS
    worker.child.kill('SIGTERM')
    await worker.ended
    while ((await sealAudit(db)) > 0);
    const check = await verifyAuditChain(db)
    if (check.state !== 'holds') throw new Error('The chain does not hold.')
    return [figureOf(perSecond)]
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

function figureOf({ plain, audited }: Record<keyof typeof WAYS, number>): Figure {
  const quotient = audited / plain
  return {
    what: `changes with ${WRITERS} writers: audited / plain`,
    measured: `${audited.toFixed(0)} / ${plain.toFixed(0)} per s = ${quotient.toFixed(2)}`,
    figure: `≥ ${LEAST}`,
    holds: quotient >= LEAST,
  }
}
