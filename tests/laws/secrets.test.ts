import { readdirSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { rotateApiKey } from '@switchboard/contract/api-keys'
import { connect } from '@switchboard/database/connection/connect'
import { urlOfRunning } from '@switchboard/embedded-postgres/embedded-postgres'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { dataFolder, startProcess } from '#tests/server-process.ts'
import { dumpOf } from './dump.ts'
import { createSecretCaller, type SecretCaller } from './secret-caller.ts'
import { tellSecretStories } from './secret-stories.ts'

// Runs the stories with secrets against the real servers, then searches every output for the secrets.

const root = path.resolve(import.meta.dirname, '../..')
const DATA_DIR = dataFolder()
const EMAIL = 'ada@switchboard.example'
/** Not a secret: the search for secrets must find this text. */
const MARKER = 'Marker & Sons'

const PASSWORD = 'canary3f9b2c71d8e64a05b1c7f2'
const server = startProcess({
  DATA_DIR,
  SUPER_ADMIN_EMAIL: EMAIL,
  SUPER_ADMIN_PASSWORD: PASSWORD,
  LOG_LEVEL: 'trace',
})
let caller: SecretCaller
let dump = ''

beforeAll(async () => {
  const admin = await server.ready()
  const [, ai = ''] = /AI API +([^\s"]+)/.exec(server.output()) ?? []
  const [, ops = '', aiOps = ''] = /Metrics +(\S+)\/metrics, ([^\s"]+)\/metrics/.exec(server.output()) ?? []
  caller = createSecretCaller({ admin, ai, ops, aiOps })
  caller.secret('first password', PASSWORD)
  const db = connect(urlOfRunning(DATA_DIR) ?? '', { isPatient: true })
  await tellSecretStories(caller, { db, dataDir: DATA_DIR, email: EMAIL, password: PASSWORD, tenantName: MARKER })
  dump = await dumpOf(db)
  await db.destroy()
  server.child.kill('SIGTERM')
  await server.ended
})
afterAll(() => rmSync(DATA_DIR, { recursive: true, force: true }))

test('no secret is in any row of the database, the audit log among them', () => {
  expect(dump).toContain(MARKER)
  expect(dump).toContain(rotateApiKey.schema.operationId)
  expect(secretsIn(dump)).toEqual([])
})

test('no secret is in any file of the data folder, deleted rows and the log of PostgreSQL included', () => {
  const files = filesIn(DATA_DIR)
  expect(files.some((file) => readFileSync(file, 'latin1').includes(MARKER))).toBe(true)
  expect(files.flatMap((file) => secretsIn(readFileSync(file, 'latin1')).map((what) => `${what}: ${file}`))).toEqual([])
})

test('no secret is in the output of the servers, at the most verbose level', () => {
  expect(server.output()).toContain('"unexpected error"')
  expect(server.output()).toContain('"route":"none"')
  expect(secretsIn(server.output())).toEqual([])
})

test('no secret is in any answer except the answer that issues the secret', () => {
  const { answers } = caller
  expect(new Set(answers.map(({ status }) => status))).toEqual(
    new Set([200, 201, 204, 400, 401, 403, 404, 405, 409, 415, 422, 500]),
  )
  expect(answers.flatMap(({ to, text }) => secretsIn(text).map((what) => `${what}: ${to}`))).toEqual([])
})

test('no secret is in the built console', () => {
  const files = filesIn(path.join(root, 'apps/console/dist'))
  expect(files.some((file) => readFileSync(file, 'latin1').includes('Generate API Key'))).toBe(true)
  expect(files.flatMap((file) => secretsIn(readFileSync(file, 'latin1')))).toEqual([])
})

/** The secrets in a text: unchanged, in any case, in hexadecimal digits, or in base64. */
function secretsIn(text: string): string[] {
  const folded = text.toLowerCase()
  const forms = (secret: string) => [
    secret,
    Buffer.from(secret).toString('hex'),
    Buffer.from(secret).toString('base64').replace(/.?=*$/, ''),
  ]
  return [...caller.secrets]
    .filter(([secret]) => forms(secret).some((form) => folded.includes(form.toLowerCase())))
    .map(([, what]) => what)
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
}
