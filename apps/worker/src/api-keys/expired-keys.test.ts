import { connect } from '@switchboard/database/connection/connect'
import { makeApiKey, makeTenant } from '@switchboard/testing/factories'
import { createTestDatabase } from '@switchboard/testing/test-database'
import { sql } from 'kysely'
import { afterAll, expect, inject, test } from 'vitest'
import { noteExpiredKeys } from './expired-keys.service.ts'

const { db, url, drop } = await createTestDatabase(inject('postgresUrl'))
const other = connect(url)
afterAll(async () => {
  await other.destroy()
  await drop()
})

const { id: tenant_id } = await makeTenant(db)
const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1_000)
const newKey = (fields: Partial<Parameters<typeof makeApiKey>[1]> = {}) =>
  makeApiKey(db, { tenant_id, expires_at: inSeconds(-60), ...fields })
const auditOf = (id: string) =>
  db.selectFrom('audit_entries').selectAll().where('target_id', '=', id).orderBy('seq').execute()
const noted = { actor_id: null, actor_email: 'task worker', outcome: 'done', target_type: 'api_key', tenant_id }

test('an expired key is noted once, and keeps its version', async () => {
  const key = await newKey()
  expect([await noteExpiredKeys({ db }), await noteExpiredKeys({ db })]).toEqual([1, 0])
  expect(await auditOf(key.id)).toMatchObject([
    { ...noted, action: 'api_keys.expire', reason: 'The key has expired.', target_name: key.name },
  ])
  const after = await db.selectFrom('api_keys').selectAll().where('id', '=', key.id).executeTakeFirstOrThrow()
  expect(after).toMatchObject({ version: key.version, updated_at: key.updated_at, noted_expiry: key.expires_at })
})

test('a rotated key is noted at the end of its grace period', async () => {
  const end = inSeconds(-1)
  const { id } = await newKey({ expires_at: end, grace_ends_at: end, rotated_at: inSeconds(-3_600) })
  expect(await noteExpiredKeys({ db })).toBe(1)
  expect(await auditOf(id)).toMatchObject([
    { ...noted, action: 'api_keys.expire_grace', reason: 'The grace period has ended.' },
  ])
})

test('a key whose expiry was moved is noted again when it is reached', async () => {
  const { id } = await newKey()
  const moveTo = (expires_at: Date) => db.updateTable('api_keys').set({ expires_at }).where('id', '=', id).execute()
  expect(await noteExpiredKeys({ db })).toBe(1)
  await moveTo(inSeconds(60))
  expect(await noteExpiredKeys({ db })).toBe(0)
  await moveTo(inSeconds(-1))
  expect(await noteExpiredKeys({ db })).toBe(1)
  expect(await auditOf(id)).toHaveLength(2)
})

test('a key without an expiry, with a later one, or revoked is not noted', async () => {
  await newKey({ expires_at: null })
  await newKey({ expires_at: inSeconds(60) })
  await newKey({ revoked_at: inSeconds(-60), is_active: false })
  expect(await noteExpiredKeys({ db })).toBe(0)
})

test('two workers at once note each of 1,200 keys once', async () => {
  const before = new Date()
  for (let n = 0; n < 1_200; n += 1) await newKey({ expires_at: inSeconds(-n - 1) })
  const counts = await Promise.all([noteExpiredKeys({ db }), noteExpiredKeys({ db: other })])
  const left = await noteExpiredKeys({ db })
  expect(counts.reduce((sum, count) => sum + count, left)).toBe(1_200)
  const { rows } = await sql<{ most: number }>`
    select max(count) as most
    from (select count(*) from audit_entries where at > ${before} group by target_id) as each`.execute(db)
  expect(rows).toEqual([{ most: 1 }])
})

test('without its entry no expiry is noted', async () => {
  await newKey()
  await sql`alter table audit_unsealed add constraint no_rows check (id < 0) not valid`.execute(db)
  await expect(noteExpiredKeys({ db })).rejects.toThrow('no_rows')
  await sql`alter table audit_unsealed drop constraint no_rows`.execute(db)
  expect(await noteExpiredKeys({ db })).toBe(1)
})
