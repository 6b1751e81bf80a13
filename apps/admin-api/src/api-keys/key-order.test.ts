import { makeApiKey, makeTenant } from '@switchboard/testing/factories'
import { expect, test } from 'vitest'
import { startTestApi } from '#src/testing/test-api.ts'

const api = await startTestApi()
const admin = await api.signIn()

test('keys are sorted by their first origin, keys for any origin first', async () => {
  const tenant_id = (await makeTenant(api.db)).id
  const [a, b, c] = ['https://a.example.com', 'https://b.example.com', 'https://c.example.com']
  for (const [name, allowed_origins] of Object.entries({ b: [b, a], a: [a], any: [], c: [c] }))
    await makeApiKey(api.db, { tenant_id, name, allowed_origins })
  const names = async (query: string): Promise<string[]> => {
    const answer = await admin.call({ method: 'GET', url: `/api/v1/admin/api-keys?limit=50&${query}` })
    return answer.json().map(({ name }: { name: string }) => name)
  }
  expect(await names('sort=allowed_origins')).toEqual(['any', 'a', 'b', 'c'])
  expect(await names('sort=-allowed_origins&origins=restricted')).toEqual(['c', 'b', 'a'])
})
