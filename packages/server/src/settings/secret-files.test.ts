import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { StartError } from '@switchboard/database/start/start-error'
import { afterAll, expect, test } from 'vitest'
import { parseSettings } from './env.ts'
import { SECRET } from './variables.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'switchboard-secrets-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function fileWith(text: string): string {
  const file = path.join(folder, crypto.randomUUID())
  writeFileSync(file, text)
  return file
}

test('a secret is read from its file, without the last line break', () => {
  const settings = parseSettings({ SUPER_ADMIN_PASSWORD_FILE: fileWith(' four kettles under plum\n') })
  expect(settings.superAdminPassword).toBe(' four kettles under plum')
  expect(parseSettings({ DATABASE_URL_FILE: fileWith('postgres://db.internal/switchboard') }).databaseUrl).toBe(
    'postgres://db.internal/switchboard',
  )
})

test('an address with a password has the file that new connections read', () => {
  const file = fileWith('postgres://u:p@h1,h2/d?sslmode=disable\n')
  expect(parseSettings({ DATABASE_URL_FILE: file }).databaseUrl).toBe(
    `postgres://u:p@h1,h2/d?sslmode=disable&password_file=${encodeURIComponent(file)}`,
  )
})

test('an empty variable names no file', () => {
  expect(parseSettings({ SUPER_ADMIN_PASSWORD_FILE: '' })).toEqual(parseSettings({}))
})

test.for<[string, NodeJS.ProcessEnv, string]>([
  [
    'is missing',
    { SMTP_URL_FILE: '/missing/smtp' },
    'SMTP_URL_FILE names /missing/smtp, which cannot be read (ENOENT).',
  ],
  ['is a folder', { SMTP_URL_FILE: folder }, `SMTP_URL_FILE names ${folder}, which cannot be read (EISDIR).`],
  [
    'is set beside the variable',
    { SMTP_URL: 'smtp://mail.example.com', SMTP_URL_FILE: '/run/secrets/smtp' },
    'Set SMTP_URL or SMTP_URL_FILE, not both.',
  ],
])('a file that %s stops the start', ([, env, message]) => {
  expect(() => parseSettings(env)).toThrow(new StartError(message))
})

test('a wrong secret of a file is not printed', () => {
  const env = { SUPER_ADMIN_PASSWORD_FILE: fileWith('short') }
  expect(() => parseSettings(env)).toThrow(new StartError('SUPER_ADMIN_PASSWORD must have 12 to 256 characters.'))
})

test.for([...SECRET].flatMap((name) => ['', '\n', ' \r\n'].map((text) => [name, text] as const)))(
  'an empty file with %s stops the start: %j',
  ([name, text]) => {
    const file = fileWith(text)
    expect(() => parseSettings({ [`${name}_FILE`]: file })).toThrow(
      new StartError(`${name}_FILE names ${file}, which is empty.`),
    )
  },
)
