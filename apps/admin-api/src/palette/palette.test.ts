import { makeApiKey, makeRun, makeTask, makeTenant, makeUser } from '@switchboard/testing/factories'
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

/** The kinds with results. */
const kindsOf = async (q: string) =>
  Object.entries(await find(q)).flatMap(([kind, rows]) => (Array.isArray(rows) && rows.length > 0 ? [kind] : []))

const harbor = await makeTenant(db, { name: 'Harbor Dental', subdomain: 'harbor' })
await makeTenant(db, { name: 'The old harbor', subdomain: 'old-quay' })
await makeTenant(db, { name: 'Pearlharbor Tours', subdomain: 'tours', status: 'inactive' })
const hugo = await makeUser(db, {
  email: 'Hugo@harbor.example',
  name: 'H. Vane',
  tenant_id: harbor.id,
  role: 'manager',
})
const key = await makeApiKey(db, { tenant_id: harbor.id, name: 'Booking widget of Ünal' })
const other = await makeApiKey(db, { tenant_id: harbor.id, name: '100% _sure_' })

describe('words', () => {
  test('find tenants by name and subdomain: exact names first, then the start of a word, then any other match', async () => {
    const { tenants } = await find(' HARBOR ')
    expect(tenants.map(({ name }) => name)).toEqual(['Harbor Dental', 'The old harbor', 'Pearlharbor Tours'])
    expect(tenants[0]).toEqual({ id: harbor.id, name: 'Harbor Dental', subdomain: 'harbor', status: 'active' })
    expect((await find('old-quay')).tenants).toHaveLength(1)
  })

  test('find users by name and address, with their tenant', async () => {
    const found = { id: hugo.id, email: 'Hugo@harbor.example', name: 'H. Vane', role: 'manager', is_active: true }
    for (const term of ['hugo@', 'vane', 'h. vane'])
      expect((await find(term)).users).toEqual([{ ...found, tenant_name: 'Harbor Dental', tenant_status: 'active' }])
    const superAdmin = { role: 'super_admin', tenant_name: null, tenant_status: null }
    expect((await find('ada@example.com')).users).toMatchObject([superAdmin])
  })

  test('find keys by name in any case, with literal punctuation', async () => {
    expect((await find('üNAL')).api_keys).toMatchObject([
      {
        id: key.id,
        tenant_name: 'Harbor Dental',
        tenant_subdomain: 'harbor',
        tenant_status: 'active',
        grace_ends_at: null,
      },
    ])
    expect((await find('0% _')).api_keys.map(({ id }) => id)).toEqual([other.id])
    expect(await kindsOf('%')).toEqual([])
  })

  test('of one or two letters find the beginnings of words', async () => {
    expect((await find('o')).tenants.map(({ name }) => name)).toEqual(['The old harbor'])
    expect((await find('ld')).tenants).toEqual([])
  })

  test('find at most five of a kind, exact names included', async () => {
    for (let n = 0; n < 8; n += 1) await makeTenant(db, { name: `Many ${n}`, subdomain: `many-${n}` })
    await makeTenant(db, { name: 'Many', subdomain: 'last-made' })
    const { tenants, counts } = await find('Many')
    expect(tenants).toHaveLength(5)
    expect(tenants[0]?.name).toBe('Many')
    expect(counts).toMatchObject({ tenants: '9', users: '0' })
  })

  test('find the best of more matches than one statement sorts', async () => {
    for (let n = 0; n < 30; n += 1) await makeTenant(db, { name: `Aplenty ${n}`, subdomain: `a-${n}` })
    await makeTenant(db, { name: 'Horn of plenty', subdomain: 'horn' })
    await makeTenant(db, { name: 'Plenty', subdomain: 'last-of-all' })
    const { tenants, counts } = await find('Plenty')
    const names = tenants.map(({ name }) => name)
    expect(counts.tenants).toBe('20+')
    expect(names).toHaveLength(5)
    expect(names.slice(0, 2)).toEqual(['Plenty', 'Horn of plenty'])
    expect(new Set(names).size).toBe(5)
  })

  test.for(['', '   ', "'; drop table tenants; --", '\\', '‮', 'x'.repeat(100)])('%j finds nothing', async (q) => {
    expect(await kindsOf(q)).toEqual([])
  })
})

describe('a pasted text:', () => {
  test('an id finds its record', async () => {
    expect((await find(harbor.id.toUpperCase())).tenants.map(({ id }) => id)).toEqual([harbor.id])
    expect((await find(` ${hugo.id}\n`)).users.map(({ id }) => id)).toEqual([hugo.id])
    expect(await find(key.id)).toMatchObject({ tenants: [], users: [], api_keys: [{ id: key.id }] })
  })

  test('the id of a run finds its task', async () => {
    const task = await makeTask(db, { tenant_id: harbor.id })
    const run = await makeRun(db, { task_id: task.id })
    expect((await find(run.id)).tasks.map(({ id }) => id)).toEqual([task.id])
  })

  test('the beginning of an id finds its record from eight characters on', async () => {
    const task = await makeTask(db, { tenant_id: harbor.id })
    for (const [kind, id] of Object.entries({ tenants: harbor.id, users: hugo.id, api_keys: key.id, tasks: task.id })) {
      expect(await kindsOf(id.slice(0, 8)), kind).toEqual([kind])
      expect(await kindsOf(id.slice(0, 13).toUpperCase()), kind).toEqual([kind])
      expect(await kindsOf(id.slice(0, 7)), kind).toEqual([])
    }
    for (const odd of [`${harbor.id.slice(0, 8)}-`, `${harbor.id}0`, `${harbor.id.slice(0, 8)}x`, '--------'])
      expect((await find(odd)).tenants.length, odd).toBe(odd.endsWith('-') && odd !== '--------' ? 1 : 0)
  })

  test('a mask finds its key, of the id as well as of the secret, and so does the beginning of the secret', async () => {
    const row = await db.selectFrom('api_keys').selectAll().where('id', '=', key.id).executeTakeFirstOrThrow()
    for (const mask of [
      `${row.key_prefix}••••${key.id.slice(-4)}`,
      `${row.key_prefix}${row.key_start}…${row.key_last4}`,
      `${row.key_start}...${row.key_last4}`,
      `****${row.key_last4}`,
      `${row.key_prefix}${row.key_start}`,
      `${row.key_prefix}${row.key_start}…`,
      key.api_key.slice(0, 20),
    ]) {
      expect(
        (await find(mask)).api_keys.map(({ id }) => id),
        mask,
      ).toContain(key.id)
    }
    for (const wrong of [`${row.key_prefix}0000…${row.key_last4}`, `${row.key_prefix}0000`])
      expect((await find(wrong)).api_keys, wrong).toEqual([])
  })

  test('a secret finds its key, and is in no log', async () => {
    expect((await find(key.api_key)).api_keys.map(({ id }) => id)).toEqual([key.id])
    expect(logLines.join('')).not.toContain(key.api_key)
  })
})

describe('tasks and places', () => {
  const extra_data = { place_id: 'ChIJQuayside0001', place_name: 'Quayside Ünit', place_address: '4 Tar Lane, Oldport' }

  test('are found by the name, the address and the id of the place, and by the tenant', async () => {
    const tenant = await makeTenant(db, { name: 'Bosun Physio', subdomain: 'bosun', status: 'inactive' })
    const task = await makeTask(db, { tenant_id: tenant.id, extra_data, last_outcome: 'failed' })
    const second = await makeTask(db, { tenant_id: harbor.id, extra_data, is_paused: true })
    const place = { id: 'ChIJQuayside0001', name: 'Quayside Ünit', address: '4 Tar Lane, Oldport', task_count: 2 }
    for (const q of ['quayside', 'ÜNIT', 'ChIJQuayside0001', 'quayside0001']) {
      const { tasks, places, counts } = await find(q)
      expect(new Set(tasks.map(({ id }) => id)), q).toEqual(new Set([task.id, second.id]))
      expect(places, q).toEqual([place])
      expect(counts, q).toMatchObject({ tasks: '2', places: '1' })
    }
    expect((await find('tar lane')).tasks).toHaveLength(2)
    expect((await find('tar lane')).places).toEqual([])
    expect((await find('bosun')).tasks).toMatchObject([
      { id: task.id, tenant_name: 'Bosun Physio', tenant_status: 'inactive', last_outcome: 'failed', is_paused: false },
    ])
  })

  test('the exact name of a place comes first', async () => {
    for (let n = 0; n < 30; n += 1)
      await makeTask(db, {
        tenant_id: harbor.id,
        extra_data: { place_id: `ChIJmole${n}`, place_name: `Mole café ${n}` },
      })
    const named = { place_id: 'ChIJthemole', place_name: 'Mole' }
    const exact = await makeTask(db, { tenant_id: harbor.id, extra_data: named })
    const { tasks, places, counts } = await find('mole')
    expect([tasks[0]?.id, tasks.length]).toEqual([exact.id, 5])
    expect([places[0]?.id, places.length]).toEqual(['ChIJthemole', 5])
    expect(counts).toMatchObject({ tasks: '20+', places: '20+' })
  })
})

test('deleted keys are not found', async () => {
  const gone = await makeApiKey(db, { tenant_id: harbor.id, name: 'Retired kiosk' })
  expect((await find('retired kiosk')).api_keys).toHaveLength(1)
  await ada.call({ method: 'DELETE', url: `/api/v1/admin/api-keys/${gone.id}` })
  for (const q of ['retired kiosk', gone.id, gone.api_key]) expect((await find(q)).api_keys, q).toEqual([])
})

test('needs a session, takes at most 100 characters and writes no audit row', async () => {
  const rows = async () => await db.selectFrom('audit_entries').select('seq').execute()
  const before = await rows()
  expect((await call({ method: 'POST', url, body: { q: 'x' } })).statusCode).toBe(401)
  expect((await ada.call({ method: 'POST', url, body: { q: 'x'.repeat(101) } })).statusCode).toBe(422)
  await find('harbor')
  await ada.call({ method: 'POST', url: `${url}/records`, body: { ids: [harbor.id] } })
  expect(await rows()).toEqual(before)
})

describe('records by their ids', () => {
  const read = async (ids: string[]) => await ada.call({ method: 'POST', url: `${url}/records`, body: { ids } })

  test('come in every kind, without deleted and unknown records', async () => {
    const task = await makeTask(db, { tenant_id: harbor.id })
    const gone = await makeApiKey(db, { tenant_id: harbor.id })
    await ada.call({ method: 'DELETE', url: `/api/v1/admin/api-keys/${gone.id}` })
    const ids = [harbor.id, hugo.id, key.id, task.id, gone.id, crypto.randomUUID()]
    expect((await read(ids)).json()).toMatchObject({
      tenants: [{ id: harbor.id }],
      users: [{ id: hugo.id }],
      api_keys: [{ id: key.id }],
      tasks: [{ id: task.id }],
    })
  })

  test('need a session and at most eight ids', async () => {
    expect((await call({ method: 'POST', url: `${url}/records`, body: { ids: [] } })).statusCode).toBe(401)
    expect((await read(Array.from({ length: 9 }, () => harbor.id))).statusCode).toBe(422)
    expect((await read(['1'])).statusCode).toBe(422)
    expect((await read([])).json().tenants).toEqual([])
  })
})
