import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect } from '@switchboard/database/connection/connect'
import { unprivilegedAccount } from './account.ts'
import { type EmbeddedOptions, startEmbeddedPostgres } from './embedded-postgres.ts'
import { StartError } from '@switchboard/database/start/start-error'

const parent = mkdtempSync(join(tmpdir(), 'switchboard-test-'))
// A complete cluster for the tests that start a server; the other tests only read folders.
const dataDir = join(parent, 'data')
const options: EmbeddedOptions = { dataDir, durable: false, log: () => {} }

beforeAll(async () => {
  // The account of PostgreSQL needs access when the tests run as root.
  chmodSync(parent, 0o755)
  await using server = disposable(await startEmbeddedPostgres(options))
  await query(server.url, 'create table kept (word text)')
  await query(server.url, "insert into kept values ('still here')")
})
afterAll(() => rmSync(parent, { recursive: true, force: true }))

test('data survives a stop and a start', async () => {
  await using server = disposable(await startEmbeddedPostgres(options))
  expect(await query(server.url, 'select word from kept')).toEqual([{ word: 'still here' }])
})

test('a second start over the same folder names the first', async () => {
  await using server = disposable(await startEmbeddedPostgres(options))
  await expect(startEmbeddedPostgres(options)).rejects.toThrow(
    new StartError(`Another Switchboard (pid ${process.pid}) is using ${dataDir}. Stop it first.`),
  )
  expect(await query(server.url, 'select count(*)::int from kept')).toEqual([{ count: 1 }])
})

test('of two simultaneous first starts one succeeds', async () => {
  const fresh = { ...options, dataDir: join(parent, 'raced') }
  const outcomes = await Promise.allSettled([startEmbeddedPostgres(fresh), startEmbeddedPostgres(fresh)])
  for (const outcome of outcomes) if (outcome.status === 'fulfilled') await outcome.value.stop()
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
})

test('stopping twice stops once and leaves no socket behind', async () => {
  const server = await startEmbeddedPostgres(options)
  const socketFolder = new URL(server.url).searchParams.get('host') ?? ''
  expect(existsSync(socketFolder)).toBe(true)
  await Promise.all([server.stop(), server.stop()])
  expect(existsSync(socketFolder)).toBe(false)
  expect(existsSync(join(dataDir, 'server.pid'))).toBe(false)
})

test('a start right after a kill -9 takes over', async () => {
  const url = await startAndKill()
  await using server = disposable(await startEmbeddedPostgres(options))
  expect(server.url).not.toBe(url)
  expect(await query(server.url, 'select word from kept')).toEqual([{ word: 'still here' }])
})

test('PostgreSQL ends after a kill -9', async () => {
  const socketFolder = new URL(await startAndKill()).searchParams.get('host') ?? ''
  await expect.poll(() => existsSync(socketFolder)).toBe(false)
  expect(existsSync(join(dataDir, 'postgres', 'postmaster.pid'))).toBe(false)
})

test('a stale pid of another process does not prevent a start', async () => {
  const other = spawn('sleep', ['60'], { ...unprivilegedAccount(), cwd: '/' })
  const file = join(dataDir, 'postgres', 'postmaster.pid')
  writeFileSync(file, `${other.pid}\n${join(dataDir, 'postgres')}\n1\n5432\n/tmp\n\n\nready\n`)
  await using server = disposable(await startEmbeddedPostgres(options))
  expect(await query(server.url, 'select 1 as one')).toEqual([{ one: 1 }])
  expect(other.exitCode).toBeNull()
  other.kill()
})

test('leftovers of a killed first start are removed', async () => {
  const draft = join(dataDir, 'postgres.new-killed')
  mkdirSync(draft)
  const server = await startEmbeddedPostgres(options)
  await server.stop()
  expect(existsSync(draft)).toBe(false)
})

test('failed statements are not logged', async () => {
  await using server = disposable(await startEmbeddedPostgres(options))
  await expect(query(server.url, 'select secret from nowhere')).rejects.toThrow('does not exist')
  expect(readFileSync(join(dataDir, 'postgres.log'), 'utf8')).not.toContain('nowhere')
})

const refusals: { name: string; make: (folder: string) => void; below?: string; sentence: RegExp }[] = [
  { name: 'a file', make: (folder) => writeFileSync(folder, ''), sentence: /is not a folder\.$/ },
  {
    name: 'a folder below a file',
    make: (folder) => writeFileSync(folder, ''),
    below: 'x/y',
    sentence: /is not a folder\.$/,
  },
  {
    name: 'data of an old version',
    make: (folder) => cluster(folder, '14'),
    sentence:
      /written by PostgreSQL 14, but this Switchboard brings 18\. Make a backup with the Switchboard that wrote it/,
  },
  {
    name: 'data of a newer version',
    make: (folder) => cluster(folder, '99'),
    sentence: /written by PostgreSQL 99, but this Switchboard brings 18\. Start the Switchboard that wrote it\.$/,
  },
  { name: 'a foreign folder', make: (folder) => cluster(folder), sentence: /holds no PostgreSQL data/ },
  { name: 'damaged data', make: (folder) => cluster(folder, '18'), sentence: /did not start: .*postgres\.log\)\.$/ },
  { name: 'a link to lost data', make: lostData, sentence: /which is missing\. Restore it, or remove the link/ },
]

test.each(refusals)('$name is refused in one line', async ({ name, make, below = '', sentence }) => {
  const folder = join(parent, name)
  make(folder)
  const refused = startEmbeddedPostgres({ ...options, dataDir: join(folder, below) })
  await expect(refused).rejects.toThrow(StartError)
  await expect(refused).rejects.toThrow(sentence)
})

function cluster(folder: string, version?: string): void {
  mkdirSync(join(folder, 'postgres'), { recursive: true })
  writeFileSync(join(folder, 'postgres', version === undefined ? 'notes' : 'PG_VERSION'), `${version}\n`)
}

function lostData(folder: string): void {
  mkdirSync(folder)
  symlinkSync('/nowhere/at-all/postgres', join(folder, 'postgres'))
}

/** Starts a server in a separate process and kills the process; returns the server's URL. */
async function startAndKill(): Promise<string> {
  const program = `
    import { startEmbeddedPostgres } from ${JSON.stringify(new URL('./embedded-postgres.ts', import.meta.url).href)}
    const { url } = await startEmbeddedPostgres({ dataDir: ${JSON.stringify(dataDir)}, durable: false, log: () => {} })
    console.log(url)`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [written] = await once(child.stdout, 'data')
  child.kill('SIGKILL')
  await once(child, 'exit')
  return String(written).trim()
}

async function query(url: string, text: string): Promise<unknown[]> {
  const db = connect(url, { max: 1, isPatient: true, onLost: () => {} })
  try {
    return (await sql.raw(text).execute(db)).rows
  } finally {
    await db.destroy()
  }
}

function disposable(server: { url: string; stop(): Promise<void> }): { url: string } & AsyncDisposable {
  return { url: server.url, [Symbol.asyncDispose]: () => server.stop() }
}
