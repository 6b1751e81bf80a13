import { writeAudit } from '@switchboard/database/audit/audit.queries'
import { deleteMonth } from '@switchboard/database/audit/deleted-months.queries'
import { sealAudit } from '@switchboard/database/audit/seal-audit'
import { expect, test } from 'vitest'
import { startTestApi } from '#src/testing/test-api.ts'

const api = await startTestApi()
const { db } = api
const actor = { id: null, email: 'eve@example.com', address: null, request_id: null }
for (const day of ['2025-01-30', '2025-01-31'])
  await db.transaction().execute((trx) => writeAudit(trx, new Date(day), actor, { action: 'auth.login' }))
await sealAudit(db)
// Row 3.
const ada = await api.signIn('ada@example.com')
const get = (path: string) => ada.call({ method: 'GET', url: `/api/v1/admin/audit${path}` })

test('deleted rows leave the list and its total, and their month is named', async () => {
  expect((await get('?limit=10')).headers['x-total-count']).toBe('3')
  const { prev_hash, hash } = await db
    .selectFrom('audit_log')
    .select(['prev_hash', 'hash'])
    .where('seq', '=', 2)
    .executeTakeFirstOrThrow()
  const deleted = {
    month: '2025-01',
    first_seq: 1,
    last_seq: 2,
    hash_before: '0'.repeat(64),
    hash_after: hash.toString('hex'),
  }
  await db.transaction().execute((trx) => deleteMonth(trx, deleted))

  const shipping = await ada.call({ method: 'GET', url: '/api/v1/admin/log-sinks' })
  expect(shipping.json()).toEqual({ sinks: [], end: 3, deleted_until: '2025-01' })
  const list = await get('?limit=10')
  expect(list.json()).toMatchObject([{ seq: 3 }])
  expect(list.headers['x-total-count']).toBe('1')
  expect((await get('/1')).json()).toMatchObject({
    detail: 'Row 1 was deleted with the month 2025-01. The log sinks have it.',
  })
  expect((await get('/4')).json()).toMatchObject({ detail: 'Audit row not found' })
  const end = `2:${deleted.hash_after}`
  expect((await get(`/chain?noted=${end}`)).json()).toMatchObject({ state: 'holds', rows: 3, deleted_rows: 2 })
  const other = `2:${prev_hash.toString('hex')}`
  expect((await get(`/chain?noted=${other}`)).json()).toMatchObject({ state: 'broken', broken_row: 2 })
})
