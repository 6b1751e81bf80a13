import { tenantList } from '@switchboard/contract/tenants'
import { verifyAuditChain } from '@switchboard/database/audit/audit-chain'
import { makeTenant } from '@switchboard/testing/factories'
import { createTestDatabase } from '@switchboard/testing/test-database'
import { sql } from 'kysely'
import { afterAll, expect, inject, test } from 'vitest'
import { SHARED_SECRET, startProcess, tokenAt } from '#tests/server-process.ts'

const { db, url: DATABASE_URL, drop } = await createTestDatabase(inject('postgresUrl'))
const PASSWORD = 'cut in the middle'
const settings = { DATABASE_URL, SUPER_ADMIN_PASSWORD: PASSWORD, WEBHOOK_SECRET: SHARED_SECRET }

afterAll(drop)

test('a killed bulk call has changed each row completely or not at all, and continues when repeated', async () => {
  const tenants = await Promise.all(Array.from({ length: 100 }, () => makeTenant(db)))
  const ids = tenants.map(({ id }) => id).toSorted()
  const first = startProcess(settings, 'apps/admin-api/src/main.ts')
  const token = await tokenAt(await first.ready(), PASSWORD)
  // So that the call is still running when it is killed: 50 ms for each row.
  await sql`
    create function delay_deletion() returns trigger language plpgsql as $$
      begin perform pg_sleep(0.05); return old; end $$;
    create trigger delay_deletion before delete on tenants for each row execute function delay_deletion()`.execute(db)
  const deleteFrom = async (address: string, at = 0) =>
    await fetch(`${address}${tenantList.bulk.url}`, {
      method: tenantList.bulk.method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ action: 'delete', ids: ids.slice(at) }),
    })

  const answered = deleteFrom(await first.ready()).then(
    () => true,
    () => false,
  )
  await expect.poll(async () => (await state()).kept.length, { interval: 2 }).toBeLessThan(90)
  first.child.kill('SIGKILL')
  expect(await answered).toBe(false)
  await first.ended
  await sql`drop function delay_deletion cascade`.execute(db)
  const { kept, logged } = await state()
  expect(kept.length).toBeGreaterThan(0)
  expect([...kept, ...logged].toSorted()).toEqual(ids)

  const second = startProcess(settings, 'apps/admin-api/src/main.ts')
  const outcomes: string[] = []
  // A call answers after ten seconds with the rows of that time.
  while (outcomes.length < ids.length) {
    const answer = await deleteFrom(await second.ready(), outcomes.length)
    const { results } = tenantList.bulk.schema.response[200].parse(await answer.json())
    outcomes.push(...results.map(({ outcome }) => outcome))
  }
  expect(outcomes).toEqual(ids.map(() => 'done'))
  const after = await state()
  expect(after.kept).toEqual([])
  expect(after.logged.toSorted()).toEqual(ids)
  expect(await verifyAuditChain(db)).toMatchObject({ state: 'holds' })
  second.child.kill('SIGTERM')
  expect(await second.ended).toMatchObject({ code: 0 })
})

/** The tenants, and the tenants that the audit log calls deleted, in one snapshot. */
async function state(): Promise<{ kept: string[]; logged: string[] }> {
  const { rows } = await sql<{ kept: string[]; logged: string[] }>`
    select array(select id::text from tenants) as kept,
      array(select target_id::text from audit_entries where action = 'tenants.delete') as logged`.execute(db)
  return rows[0] ?? { kept: [], logged: [] }
}
