import { randomBytes } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { createBackup } from '@switchboard/backup/create-backup'
import { writeAudit } from '@switchboard/database/audit/audit.queries'
import { encryptSecret } from '@switchboard/database/stored-secrets/encryption'
import { parseSettings } from '@switchboard/server/settings/env'
import { makeUser } from '@switchboard/testing/factories'
import { createEmptyDatabase, createTestDatabase } from '@switchboard/testing/test-database'
import { afterAll, expect, inject, test } from 'vitest'
import { dataFolder, SHARED_SECRET, startProcess } from '#tests/server-process.ts'

const { db, url, drop } = await createTestDatabase(inject('postgresUrl'))
const folder = dataFolder()
afterAll(async () => {
  await drop()
  rmSync(folder, { recursive: true, force: true })
})

const [first, second] = [randomBytes(32).toString('base64'), randomBytes(32).toString('base64')]
const secretKeysOf = (SECRETS_KEY: string) => parseSettings({ SECRETS_KEY }).secretKeys
const idOf = (key: string) => secretKeysOf(key).current?.id.toString('hex')

test('a key in use that is missing stops admin-api, is named after a restore, and a rotation replaces it', async () => {
  const { id: user_id, email: name } = await makeUser(db)
  const target = { type: 'user', id: user_id, name, tenant_id: null } as const
  const actor = { id: null, email: 'command line', address: null, request_id: null }
  await db.transaction().execute((trx) => writeAudit(trx, new Date(), actor, { action: 'super_admins.create', target }))
  const secret = randomBytes(20)
  const totp_secret = encryptSecret({ secretKeys: secretKeysOf(first), randomBytes }, user_id, secret)
  const factor = { user_id, kind: 'totp' as const, name: 'Phone', created_at: new Date(), totp_secret, totp_step: 1 }
  await db.insertInto('second_factors').values(factor).execute()

  const refused = `Stored secrets (1) are encrypted with the key ${idOf(first)}, but SECRETS_KEY and SECRETS_KEY_OLD have ${idOf(second)}. Set SECRETS_KEY to that key, or add it to SECRETS_KEY_OLD (docs/operate/secrets.md).\n`
  const server = { DATABASE_URL: url, WEBHOOK_SECRET: SHARED_SECRET, SECRETS_KEY: second }
  expect(await startProcess(server, 'apps/admin-api/src/main.ts').ended).toEqual({ code: 1, stderr: refused })

  const backup = path.join(folder, 'a.backup')
  await createBackup(url, backup, secretKeysOf(second).current)
  await using empty = await createEmptyDatabase(inject('postgresUrl'))
  const restored = startProcess({ DATABASE_URL: empty.url, SECRETS_KEY: second }, 'scripts/restore.ts', backup)
  expect(await restored.ended).toEqual({ code: 1, stderr: refused })

  writeFileSync(path.join(folder, 'key'), `${second}\n`)
  const keys = { SECRETS_KEY_FILE: path.join(folder, 'key'), SECRETS_KEY_OLD: first }
  const rotated = startProcess({ DATABASE_URL: url, ...keys }, 'scripts/secrets-rotate.ts')
  expect(await rotated.ended).toEqual({ code: 0, stderr: '' })
  expect(rotated.output()).toBe('Encrypted 1, already current 0, unreadable 0.\n')
  const unreadable = startProcess({ DATABASE_URL: url, SECRETS_KEY: first }, 'scripts/secrets-rotate.ts')
  expect(await unreadable.ended).toMatchObject({ code: 1, stderr: expect.stringContaining('reset-second-factor') })
})
