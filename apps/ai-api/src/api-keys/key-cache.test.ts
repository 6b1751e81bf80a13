import { randomUUID } from 'node:crypto'
import { makeApiKey, makeTenant } from '@switchboard/testing/factories'
import { createTestDatabase } from '@switchboard/testing/test-database'
import { afterAll, expect, inject, test } from 'vitest'
import { createRecentChanges } from '#src/recent-changes.ts'
import { type KeyRecord, keysByHash } from './key-check.queries.ts'
import { createKeyCache, type KeyCache } from './key-cache.ts'
import { createKeyLoader } from './key-loader.ts'

const { db, drop } = await createTestDatabase(inject('postgresUrl'))
afterAll(drop)

const loaderOf = (cache: KeyCache, { areReceived = true, recent = createRecentChanges() } = {}) =>
  createKeyLoader({
    db,
    cache,
    changes: { areReceived: () => areReceived, isChangedSince: recent.isChangedSince },
  })

const keyRecord = (fields: Partial<KeyRecord> = {}): KeyRecord => ({
  hash: randomUUID(),
  api_key_id: randomUUID(),
  tenant_id: randomUUID(),
  refusal: null,
  expires_at: null,
  environment: 'live',
  grace_ends_at: null,
  allowed_origins: [],
  ...fields,
})

test('a change of a key removes this key only, a change of a tenant all keys of the tenant', () => {
  const cache = createKeyCache()
  const tenant_id = randomUUID()
  const [one, two, other] = [keyRecord({ tenant_id }), keyRecord({ tenant_id }), keyRecord()]
  for (const key of [one, two, other]) cache.add(key)
  cache.invalidate(one.api_key_id)
  expect([one, two, other].map(({ hash }) => cache.get(hash))).toEqual([undefined, two, other])
  cache.add(one)
  cache.invalidate(tenant_id)
  expect([one, two, other].map(({ hash }) => cache.get(hash))).toEqual([undefined, undefined, other])
})

test('the least recently used key is evicted, and later changes of its tenant still reach other keys', () => {
  const cache = createKeyCache(2)
  const tenant_id = randomUUID()
  const [one, two, three] = [keyRecord({ tenant_id }), keyRecord({ tenant_id }), keyRecord({ tenant_id })]
  cache.add(one)
  cache.add(two)
  cache.get(one.hash)
  cache.add(three)
  expect([one, two, three].map(({ hash }) => cache.get(hash))).toEqual([one, undefined, three])
  cache.invalidate(tenant_id)
  expect([one, two, three].map(({ hash }) => cache.get(hash))).toEqual([undefined, undefined, undefined])
})

test('a loaded key that replaces a cached one is removed by a change', () => {
  const cache = createKeyCache()
  const key = keyRecord()
  cache.add(key)
  cache.add({ ...key, refusal: 'disabled' })
  expect(cache.get(key.hash)?.refusal).toBe('disabled')
  cache.invalidate(key.api_key_id)
  expect(cache.get(key.hash)).toBeUndefined()
})

test('a key that changes while it is loaded is not cached', async () => {
  const { id, key_hash } = await makeApiKey(db, { tenant_id: (await makeTenant(db)).id })
  const hash = key_hash.toString('hex')
  const cache = createKeyCache()
  const load = loaderOf(cache)
  await load(hash)
  expect(cache.get(hash)).toMatchObject({ api_key_id: id })

  const changed = createKeyCache()
  const recent = createRecentChanges()
  const loading = loaderOf(changed, { recent })(hash)
  setImmediate(() => recent.add(id))
  expect(await loading).toMatchObject({ api_key_id: id })
  expect(changed.get(hash)).toBeUndefined()
})

test('a key is not cached while changes are not received', async () => {
  const { id, key_hash } = await makeApiKey(db, { tenant_id: (await makeTenant(db)).id })
  const hash = key_hash.toString('hex')
  const cache = createKeyCache()
  expect(await loaderOf(cache, { areReceived: false })(hash)).toMatchObject({ api_key_id: id })
  expect(cache.get(hash)).toBeUndefined()
})

test('an unknown hash has no key', async () => {
  expect(await keysByHash(db, ['00'.repeat(32)])).toEqual({ keys: new Map(), isStandby: false })
})
