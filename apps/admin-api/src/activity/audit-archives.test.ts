import { writeAudit } from '@switchboard/database/audit/audit.queries'
import { replaceByArchive } from '@switchboard/database/audit/audit-archives.queries'
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

test('archived rows leave the list and its total, and their months and files are named', async () => {
  expect((await get('/archives')).json()).toEqual([])
  expect((await get('?limit=10')).headers['x-total-count']).toBe('3')
  const { prev_hash, hash } = await db
    .selectFrom('audit_log')
    .select(['prev_hash', 'hash'])
    .where('seq', '=', 2)
    .executeTakeFirstOrThrow()
  const archive = {
    month: '2025-01',
    first_seq: 1,
    last_seq: 2,
    hash_before: '0'.repeat(64),
    hash_after: hash.toString('hex'),
    file_sha256: 'ab'.repeat(32),
  }
  await db.transaction().execute((trx) => replaceByArchive(trx, archive))

  const file = `audit-2025-01-${archive.hash_after.slice(0, 12)}.ndjson.gz`
  expect((await get('/archives')).json()).toEqual([{ month: '2025-01', first_seq: 1, last_seq: 2, file }])
  const list = await get('?limit=10')
  expect(list.json()).toMatchObject([{ seq: 3 }])
  expect(list.headers['x-total-count']).toBe('1')
  expect((await get('/1')).json()).toMatchObject({ detail: `Row 1 is archived in ${file}.` })
  expect((await get('/4')).json()).toMatchObject({ detail: 'Audit row not found' })
  const end = `2:${archive.hash_after}`
  expect((await get(`/chain?noted=${end}`)).json()).toMatchObject({ state: 'holds', rows: 3, archived_rows: 2 })
  const other = `2:${prev_hash.toString('hex')}`
  expect((await get(`/chain?noted=${other}`)).json()).toMatchObject({ state: 'broken', broken_row: 2 })
})
