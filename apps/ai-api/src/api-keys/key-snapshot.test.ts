import { randomUUID } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { KeyRecord } from './key-check.queries.ts'
import { ageOf, type KnownMoment, prepareFolder, readSnapshot, writeSnapshot } from './key-snapshot.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'switchboard-snapshot-'))
afterAll(() => rmSync(folder, { recursive: true }))

const SECRETS = ['the first secret signs', 'the second only verifies']
const DATABASE = 'db.example.com:5432/switchboard'
const LIMIT = 100

const key = (fields: Partial<KeyRecord> = {}): KeyRecord => ({
  hash: randomUUID(),
  api_key_id: randomUUID(),
  tenant_id: randomUUID(),
  environment: 'live',
  refusal: null,
  expires_at: '2030-01-01T00:00:00.000Z',
  grace_ends_at: null,
  allowed_origins: ['https://example.com'],
  ...fields,
})
const momentAgo = (seconds: number): KnownMoment => ({
  monotonic: performance.now() - seconds * 1_000,
  wall: Date.now() - seconds * 1_000,
  database: 1_800_000_000_000,
})
const newFile = () => ({ file: path.join(folder, randomUUID()), secrets: SECRETS, database: DATABASE })
const written = async (knownUpTo = momentAgo(1), keys = [key()]) => {
  const file = newFile()
  await writeSnapshot(file, knownUpTo, keys)
  return file
}

test('a snapshot has the good keys and the moment they are from, in a file for its owner alone', async () => {
  const keys = Array.from({ length: 600 }, () => key())
  const file = await written(momentAgo(30), [key({ refusal: 'revoked' }), ...keys, key({ refusal: 'disabled' })])
  const { knownUpTo, keys: read } = await readSnapshot(file, LIMIT)
  expect(read).toEqual(keys)
  expect(knownUpTo.database).toBe(1_800_000_000_000)
  expect(Math.round(ageOf(knownUpTo) / 1_000)).toBeGreaterThanOrEqual(30)
  expect(statSync(file.file).mode & 0o777).toBe(0o600)
})

test('a later snapshot replaces the earlier one and leaves no other file', async () => {
  const file = await written()
  await writeSnapshot(file, momentAgo(1), [])
  expect((await readSnapshot(file, LIMIT)).keys).toEqual([])
  expect(readdirSync(folder).filter((name) => name.startsWith(`${path.basename(file.file)}.`))).toEqual([])
})

test('an old secret still verifies after a change of WEBHOOK_SECRET', async () => {
  const file = await written()
  expect((await readSnapshot({ ...file, secrets: ['a new one', ...SECRETS] }, LIMIT)).keys).toHaveLength(1)
})

test('a snapshot older than the limit is refused', async () => {
  await expect(readSnapshot(await written(momentAgo(LIMIT + 5)), LIMIT)).rejects.toThrow(/^it is 10\d seconds old$/)
})

test('the time since the start of the machine counts when its clock was set back', async () => {
  const { monotonic, database } = momentAgo(LIMIT + 5)
  const file = await written({ monotonic, wall: Date.now() - 1_000, database })
  await expect(readSnapshot(file, LIMIT)).rejects.toThrow('seconds old')
})

test('a snapshot of a later time is refused', async () => {
  const { monotonic, database } = momentAgo(1)
  const file = await written({ monotonic, wall: Date.now() + 60_000, database })
  await expect(readSnapshot(file, LIMIT)).rejects.toThrow('the clock was set back')
})

test('a snapshot of another database is refused', async () => {
  await expect(readSnapshot({ ...(await written()), database: 'other:5432/db' }, LIMIT)).rejects.toThrow(
    'it is of the database db.example.com:5432/switchboard',
  )
})

const SIGNATURE = 'its signature is wrong'
test.for<[string, (text: string) => string, string]>([
  ['with another allowed origin', (text) => text.replace('https://example.com', 'https://example.org'), SIGNATURE],
  ['with a later end of a key', (text) => text.replace('2030-01-01', '2031-01-01'), SIGNATURE],
  ['with a later moment', (text) => text.replace(/"wall":\d/, '"wall":2'), SIGNATURE],
  ['without its last byte', (text) => text.slice(0, -1), SIGNATURE],
  ['without its last line', (text) => text.slice(0, text.lastIndexOf('\n') + 1), SIGNATURE],
  ['cut off in a key', (text) => text.slice(0, text.indexOf('\n') + 50), SIGNATURE],
  ['of another format', (text) => text.replace('"format":1', '"format":2'), 'another format'],
  ['that is empty', () => '', 'another format'],
  ['of other text', () => 'x'.repeat(20_000), 'another format'],
])('a file %s is refused', async ([, change, reason]) => {
  const file = await written()
  writeFileSync(file.file, change(readFileSync(file.file, 'utf8')))
  await expect(readSnapshot(file, LIMIT)).rejects.toThrow(reason)
})

test('a snapshot signed with another secret is refused', async () => {
  await expect(readSnapshot({ ...(await written()), secrets: ['another'] }, LIMIT)).rejects.toThrow(SIGNATURE)
})

test('a draft left over from a kill is removed at the next start, and a young one is not', async () => {
  const file = newFile()
  const [old, young] = ['old', 'young'].map((name) => `${file.file}.draft-${name}`)
  for (const draft of [old, young]) writeFileSync(draft ?? '', 'half')
  const anHourAgo = Date.now() / 1_000 - 3_600
  utimesSync(old ?? '', anHourAgo, anHourAgo)
  await prepareFolder(file)
  const drafts = readdirSync(folder).filter((name) => name.includes('.draft-'))
  expect(drafts).toEqual([path.basename(young ?? '')])
  rmSync(young ?? '')
})

test('a missing folder is named at the start', async () => {
  const file = path.join(folder, 'none', 'snapshot')
  await expect(prepareFolder({ ...newFile(), file })).rejects.toThrow(
    `${path.dirname(file)} cannot be created: part of the path does not exist.`,
  )
})
