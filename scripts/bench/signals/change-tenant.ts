import { writeAudits } from '@switchboard/database/audit/audit.queries'
import type { Database } from '@switchboard/database/tables'
import type { Kysely } from 'kysely'

const actor = { id: null, email: 'ada@example.com', address: '192.0.2.1', request_id: null }

const entryOf = (id: string) => ({
  action: 'tenants.update',
  target: { type: 'tenant', id, name: 'Tenant', tenant_id: id } as const,
  changes: { goal: { before: 'help', after: 'sell' } },
})

/** Changes a tenant as a service does: lock, change, audit entry. */
export async function changeTenant(db: Kysely<Database>, id: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await trx.selectFrom('tenants').selectAll().where('id', '=', id).forUpdate().executeTakeFirstOrThrow()
    await trx.updateTable('tenants').set({ goal: crypto.randomUUID() }).where('id', '=', id).execute()
    await writeAudits(trx, new Date(), actor, [entryOf(id)])
  })
}

/** Writes entries about as many records at once. */
export async function writeEntries(db: Kysely<Database>, count: number): Promise<void> {
  const entries = Array.from({ length: count }, () => entryOf(crypto.randomUUID()))
  await db.transaction().execute((trx) => writeAudits(trx, new Date(), actor, entries))
}
