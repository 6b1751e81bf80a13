import { makeUser, makeApiKey, makeTenant } from '@switchboard/testing/factories'
import { describe, expect, test } from 'vitest'
import type { SearchResults } from '@switchboard/contract/palette'
import { startTestApi } from '#src/testing/test-api.ts'

const { db, call, signIn, logLines } = await startTestApi()
const ada = await signIn('ada@example.com')
const url = '/api/v1/admin/search'
const find = async (q: string): Promise<SearchResults> => {
  const answer = await ada.call({ method: 'POST', url, body: { q } })
  expect(answer.statusCode).toBe(200)
  return answer.json()
}

const harbor = await makeTenant(db, { name: 'Harbor Dental', subdomain: 'harbor' })
await makeTenant(db, { name: 'The old harbor', subdomain: 'old-quay' })
await makeTenant(db, { name: 'Pearlharbor Tours', subdomain: 'tours', status: 'inactive' })
const hugo = await makeUser(db, { email: 'Hugo@harbor.example', tenant_id: harbor.id, role: 'manager' })
const key = await makeApiKey(db, { tenant_id: harbor.id, name: 'Booking widget of Ünal' })
const other = await makeApiKey(db, { tenant_id: harbor.id, name: '100% _sure_' })

describe('words', () => {
  test('find tenants by name and subdomain: exact names first, then the start of a word, then any other match', async () => {
    const { tenants } = await find(' HARBOR ')
    expect(tenants.map(({ name }) => name)).toEqual(['Harbor Dental', 'The old harbor', 'Pearlharbor Tours'])
    expect(tenants[0]).toEqual({ id: harbor.id, name: 'Harbor Dental', subdomain: 'harbor', status: 'active' })
    expect((await find('old-quay')).tenants).toHaveLength(1)
  })

  test('find users by address, with their tenant', async () => {
    const found = { id: hugo.id, email: 'Hugo@harbor.example', role: 'manager', is_active: true }
    expect((await find('hugo@')).users).toEqual([{ ...found, tenant_name: 'Harbor Dental' }])
    expect((await find('ada@example.com')).users).toMatchObject([{ role: 'super_admin', tenant_name: null }])
  })

  test('find keys by name in any case, with literal punctuation', async () => {
    expect((await find('üNAL')).api_keys).toMatchObject([
      { id: key.id, tenant_name: 'Harbor Dental', subdomain: 'harbor' },
    ])
    expect((await find('0% _')).api_keys.map(({ id }) => id)).toEqual([other.id])
    expect(await find('%')).toEqual({ tenants: [], users: [], api_keys: [] })
  })

  test('of one or two letters find the beginnings of words', async () => {
    expect((await find('o')).tenants.map(({ name }) => name)).toEqual(['The old harbor'])
    expect((await find('ld')).tenants).toEqual([])
  })

  test('find at most five of a kind, exact names included', async () => {
    for (let n = 0; n < 8; n += 1) await makeTenant(db, { name: `Many ${n}`, subdomain: `many-${n}` })
    await makeTenant(db, { name: 'Many', subdomain: 'last-made' })
    const { tenants } = await find('Many')
    expect(tenants).toHaveLength(5)
    expect(tenants[0]?.name).toBe('Many')
  })

  test('find the best of more matches than one statement sorts', async () => {
    for (let n = 0; n < 30; n += 1) await makeTenant(db, { name: `Aplenty ${n}`, subdomain: `a-${n}` })
    await makeTenant(db, { name: 'Horn of plenty', subdomain: 'horn' })
    await makeTenant(db, { name: 'Plenty', subdomain: 'last-of-all' })
    const names = (await find('Plenty')).tenants.map(({ name }) => name)
    expect(names).toHaveLength(5)
    expect(names.slice(0, 2)).toEqual(['Plenty', 'Horn of plenty'])
    expect(new Set(names).size).toBe(5)
  })

  test.for(['', '   ', "'; drop table tenants; --", '\\', '‮', 'x'.repeat(100)])('%j finds nothing', async (q) => {
    expect(await find(q)).toEqual({ tenants: [], users: [], api_keys: [] })
  })
})

describe('a pasted', () => {
  test('an id finds its record', async () => {
    expect((await find(harbor.id.toUpperCase())).tenants.map(({ id }) => id)).toEqual([harbor.id])
    expect((await find(` ${hugo.id}\n`)).users.map(({ id }) => id)).toEqual([hugo.id])
    expect(await find(key.id)).toMatchObject({ tenants: [], users: [], api_keys: [{ id: key.id }] })
  })

  test('mask finds its key, of the id as well as of the secret', async () => {
    const row = await db.selectFrom('api_keys').selectAll().where('id', '=', key.id).executeTakeFirstOrThrow()
    for (const mask of [
      `${row.key_prefix}••••${key.id.slice(-4)}`,
      `${row.key_prefix}${row.key_start}…${row.key_last4}`,
      `${row.key_start}...${row.key_last4}`,
      `****${row.key_last4}`,
    ]) {
      expect(
        (await find(mask)).api_keys.map(({ id }) => id),
        mask,
      ).toContain(key.id)
    }
    expect((await find(`${row.key_prefix}0000…${row.key_last4}`)).api_keys).toEqual([])
  })

  test('secret finds its key, and is in no log', async () => {
    expect((await find(key.api_key)).api_keys.map(({ id }) => id)).toEqual([key.id])
    expect(logLines.join('')).not.toContain(key.api_key)
  })
})

test('deleted keys are not found', async () => {
  const gone = await makeApiKey(db, { tenant_id: harbor.id, name: 'Retired kiosk' })
  expect((await find('retired kiosk')).api_keys).toHaveLength(1)
  await ada.call({ method: 'DELETE', url: `/api/v1/admin/api-keys/${gone.id}` })
  for (const q of ['retired kiosk', gone.id, gone.api_key]) expect((await find(q)).api_keys, q).toEqual([])
})

test('needs a session, takes at most 100 characters and writes no audit row', async () => {
  const rows = async () => await db.selectFrom('audit_log').select('seq').execute()
  const before = await rows()
  expect((await call({ method: 'POST', url, body: { q: 'x' } })).statusCode).toBe(401)
  expect((await ada.call({ method: 'POST', url, body: { q: 'x'.repeat(101) } })).statusCode).toBe(422)
  await find('harbor')
  expect(await rows()).toEqual(before)
})
