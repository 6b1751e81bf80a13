import type { TenantKeySummary } from '@switchboard/contract/api-keys/tenant-key-summaries'
import { deleteRecord, makeApiKey, makeTenant } from '@switchboard/testing/factories'
import { makeCalls } from '@switchboard/testing/key-calls-factory'
import { expect, test } from 'vitest'
import { startTestApi } from '#src/testing/test-api.ts'

const { db, signIn } = await startTestApi()
const admin = await signIn('ada@example.com')
const summariesOf = async (...tenant_ids: string[]): Promise<TenantKeySummary[]> => {
  const answer = await admin.call({ method: 'POST', url: '/api/v1/admin/api-keys/summaries', body: { tenant_ids } })
  expect(answer.statusCode).toBe(200)
  return answer.json()
}
const DAY_MS = 86_400_000

test('sums the calls of the last seven days of each tenant, without deleted keys', async () => {
  const [busy, quiet, empty] = [await makeTenant(db), await makeTenant(db), await makeTenant(db)]
  const [first, second] = [
    await makeApiKey(db, { tenant_id: busy.id }),
    await makeApiKey(db, { tenant_id: busy.id, environment: 'test' }),
  ]
  const gone = await makeApiKey(db, { tenant_id: busy.id })
  await makeApiKey(db, { tenant_id: quiet.id })
  const at = new Date()
  await makeCalls(db, first.id, 'valid', { count: 5, at })
  await makeCalls(db, first.id, 'valid', { count: 99, at: new Date(at.getTime() - 8 * DAY_MS) })
  await makeCalls(db, second.id, 'valid', { count: 7, at })
  await makeCalls(db, second.id, 'origin_refused', { count: 2, at })
  await makeCalls(db, gone.id, 'valid', { count: 50, at })
  await deleteRecord(db, 'api_keys', gone.id)
  const summaries = await summariesOf(busy.id, quiet.id, empty.id)
  expect(summaries.find(({ tenant_id }) => tenant_id === busy.id)).toMatchObject({ accepted: 12, refused: 2 })
  expect(summaries.find(({ tenant_id }) => tenant_id === quiet.id)).toMatchObject({ accepted: 0, refused: 0 })
  expect(summaries).toHaveLength(2)
})

test('names the state that all keys of a tenant have, and none when they differ', async () => {
  const { id: tenant_id } = await makeTenant(db)
  await makeApiKey(db, { tenant_id, is_active: false })
  await makeApiKey(db, { tenant_id, is_active: false })
  expect(await summariesOf(tenant_id)).toMatchObject([{ state: 'switched_off' }])
  await makeApiKey(db, { tenant_id, expires_at: new Date(Date.now() - DAY_MS) })
  expect(await summariesOf(tenant_id)).toMatchObject([{ state: null }])
})
