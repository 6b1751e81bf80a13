import { deleteApiKey, restoreApiKey } from '@switchboard/contract/api-keys'
import { verifyKey } from '@switchboard/contract/api-keys/key-verification'
import { deleteTenant, restoreTenant } from '@switchboard/contract/tenants'
import { makeApiKey, makeTenant } from '@switchboard/testing/factories'
import { createTestDatabase } from '@switchboard/testing/test-database'
import { afterAll, expect, inject, test } from 'vitest'
import { SHARED_SECRET, startAiApi, startProcess, tokenAt } from '#tests/server-process.ts'
import { lastOtherMs } from './effective.ts'

// Deletions and their Undo at admin-api, seen by other processes with the keys in their caches.

const HELD_WITHIN_MS = 1_000

const { db, url: DATABASE_URL, drop } = await createTestDatabase(inject('postgresUrl'))
const PASSWORD = 'deleted keys open no door'
const adminApi = startProcess(
  { DATABASE_URL, SUPER_ADMIN_PASSWORD: PASSWORD, WEBHOOK_SECRET: SHARED_SECRET },
  'apps/admin-api/src/main.ts',
)
const aiApis = [1, 2].map(() => startAiApi({ databaseUrl: DATABASE_URL }))

afterAll(async () => {
  for (const { child, ended } of [adminApi, ...aiApis]) {
    child.kill('SIGTERM')
    expect(await ended).toMatchObject({ code: 0 })
  }
  await drop()
})

test.for([
  ['key', deleteApiKey, restoreApiKey],
  ['tenant', deleteTenant, restoreTenant],
] as const)(
  'every ai-api refuses keys of a deleted %s within a second, and accepts them after Undo',
  async ([noun, remove, restore]) => {
    const tenant = await makeTenant(db)
    const keys = [await makeApiKey(db, { tenant_id: tenant.id }), await makeApiKey(db, { tenant_id: tenant.id })]
    const [key] = keys
    if (key === undefined) throw new Error('no key')
    const deleted = noun === 'key' ? [key] : keys
    const addresses = await Promise.all(aiApis.map(({ ready }) => ready()))
    const statusesOf = async (asked: typeof keys) =>
      await Promise.all(
        addresses.flatMap((address) =>
          asked.map(async ({ api_key }) => {
            const body = JSON.stringify({ api_key })
            const headers = { 'content-type': 'application/json' }
            return (await fetch(`${address}${verifyKey.url}`, { method: verifyKey.method, headers, body })).status
          }),
        ),
      )
    const all = (status: number, asked: typeof keys) => addresses.flatMap(() => asked.map(() => status))
    const origin = await adminApi.ready()
    const authorization = `Bearer ${await tokenAt(origin, PASSWORD)}`
    const send = async ({ method, url }: { method: string; url: string }) => {
      const id = noun === 'key' ? key.id : tenant.id
      const answer = await fetch(`${origin}${url.replace(/:\w+/, id)}`, { method, headers: { authorization } })
      expect(answer.ok).toBe(true)
    }

    for (let round = 0; round < 5; round += 1) {
      for (let n = 0; n < 3; n += 1) expect(await statusesOf(keys)).toEqual(all(200, keys))
      await send(remove)
      expect(await lastOtherMs(() => statusesOf(deleted), all(401, deleted))).toBeLessThan(HELD_WITHIN_MS)
      if (noun === 'key') expect(await statusesOf(keys.slice(1))).toEqual(all(200, keys.slice(1)))
      await send(restore)
      expect(await lastOtherMs(() => statusesOf(deleted), all(200, deleted))).toBeLessThan(HELD_WITHIN_MS)
    }
  },
)
