import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { checkVersion } from '@switchboard/database/start/start-checks'
import { connect } from '@switchboard/database/connection/connect'
import { StartError } from '@switchboard/database/start/start-error'
import { startEmbeddedPostgres } from '@switchboard/embedded-postgres/embedded-postgres'
import { createEmptyDatabase } from '@switchboard/testing/test-database'
import { sql } from 'kysely'
import { expect, inject, onTestFinished, test } from 'vitest'
import { dataFolder, SHARED_SECRET, startProcess } from '#tests/server-process.ts'

// The error of a failed connection names the setting, the place and the remedy.

const server = new URL(inject('postgresUrl'))
const socket = `${server.searchParams.get('host')}:5432`

/** The URL of the tests' server, with some parts replaced. */
function urlWith(parts: Partial<Pick<URL, 'username' | 'password' | 'pathname'>>, query: Record<string, string> = {}) {
  const url = Object.assign(new URL(server), parts)
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  return url.toString()
}

async function faultOf(url: string): Promise<string> {
  const db = connect(url, { max: 1, onLost: () => undefined })
  onTestFinished(() => db.destroy())
  const fault = await checkVersion({ db, url, variable: 'DATABASE_URL' }).then(
    () => new Error('The database answers.'),
    (error: unknown) => error,
  )
  if (!(fault instanceof StartError)) throw fault
  expect(fault.message).not.toContain('sEcret')
  return fault.message
}

/** The port of a server that does this with each connection. */
async function portOf(onConnection: (connection: Socket) => void): Promise<number> {
  const sockets: Socket[] = []
  const fake = createServer((connection) => {
    sockets.push(connection.on('error', () => undefined))
    onConnection(connection)
  }).listen(0, '127.0.0.1')
  await once(fake, 'listening')
  onTestFinished(() => {
    for (const each of sockets) each.destroy()
    fake.close()
  })
  const address = fake.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

test.for<[what: string, url: string, sentence: string]>([
  [
    'nothing listens',
    'postgresql://u:sEcret@127.0.0.1:1/d',
    'DATABASE_URL: 127.0.0.1:1 refuses connections. Is PostgreSQL running there?',
  ],
  [
    'no socket',
    'postgresql://u:sEcret@/d?host=/no/folder',
    'DATABASE_URL: /no/folder:5432 is not a PostgreSQL socket. Is PostgreSQL running there?',
  ],
  [
    'no such database',
    urlWith({ pathname: '/nope' }),
    `DATABASE_URL: PostgreSQL at ${socket} has no database "nope". Create it, or correct the name.`,
  ],
  [
    'a wrong password',
    urlWith({ password: 'sEcret' }),
    `DATABASE_URL: PostgreSQL at ${socket} refuses the user "switchboard" with this password. Correct the user or the password.`,
  ],
  [
    'an unknown user',
    urlWith({ username: 'nobody', password: 'sEcret' }),
    `DATABASE_URL: PostgreSQL at ${socket} refuses the user "nobody" with this password. Correct the user or the password.`,
  ],
  [
    'no password',
    urlWith({ password: '' }, { sslmode: 'disable' }),
    `DATABASE_URL: PostgreSQL at ${socket} asks for a password, and the address has none.`,
  ],
  [
    'a missing certificate',
    'postgresql://u:sEcret@127.0.0.1:1/d?sslmode=verify-full&sslrootcert=/no/ca.pem',
    'DATABASE_URL: /no/ca.pem cannot be read (ENOENT).',
  ],
])('%s', async ([, url, sentence]) => {
  expect(await faultOf(url)).toBe(sentence)
})

test('an unknown host', async () => {
  expect(await faultOf('postgresql://u:sEcret@nowhere.invalid/d')).toMatch(
    /^DATABASE_URL: (nowhere\.invalid:5432 is not a known host\. Correct the name|The name server does not answer for nowhere\.invalid:5432\. Check the name and the network)\.$/,
  )
})

test('a server without encryption', async () => {
  const port = await portOf((connection) => connection.once('data', () => connection.write('N')))
  expect(await faultOf(`postgresql://u:sEcret@127.0.0.1:${port}/d?sslmode=verify-full`)).toBe(
    `DATABASE_URL: PostgreSQL at 127.0.0.1:${port} offers no encryption. Turn on ssl there, or remove sslmode from the address.`,
  )
})

test('a server that is not PostgreSQL', async () => {
  const port = await portOf((connection) => connection.destroy())
  expect(await faultOf(`postgresql://u:sEcret@127.0.0.1:${port}/d`)).toBe(
    `DATABASE_URL: 127.0.0.1:${port} closes the connection at once. Is it PostgreSQL?`,
  )
})

test('a server that does not answer', async () => {
  const port = await portOf(() => undefined)
  expect(await faultOf(`postgresql://u:sEcret@127.0.0.1:${port}/d`)).toBe(
    `DATABASE_URL: 127.0.0.1:${port} does not answer. Check the address, and the firewall in between.`,
  )
})

test('a role that may not connect, and a role without a free connection', async () => {
  await using database = await createEmptyDatabase(inject('postgresUrl'), { isOrdinary: true })
  const { username: role, pathname } = new URL(database.url)
  const name = sql.id(pathname.slice(1))
  const admin = connect(inject('postgresUrl'), { max: 1 })
  onTestFinished(() => admin.destroy())
  await sql`alter role ${sql.id(role)} connection limit 0`.execute(admin)
  expect(await faultOf(database.url)).toBe(
    `DATABASE_URL: PostgreSQL at ${socket} has no free connection. Raise max_connections, or lower DATABASE_POOL.`,
  )
  await sql`alter role ${sql.id(role)} connection limit -1`.execute(admin)
  await sql`alter database ${name} owner to current_user`.execute(admin)
  await sql`revoke connect on database ${name} from public`.execute(admin)
  expect(await faultOf(database.url)).toBe(
    `DATABASE_URL: PostgreSQL at ${socket} does not let the user "${role}" connect. Run: grant connect on database "${role}" to "${role}"`,
  )
  await sql`alter database ${name} owner to ${sql.id(role)}`.execute(admin)
})

const CLOSED = 'postgresql://u:sEcret@127.0.0.1:1/d'
const refusedBy = (variable: string) => ({
  code: 1,
  stderr: `${variable}: 127.0.0.1:1 refuses connections. Is PostgreSQL running there?\n`,
})

test.for([
  ['apps/admin-api/src/main.ts', []],
  ['apps/ai-api/src/main.ts', []],
  ['apps/worker/src/main.ts', []],
  ['scripts/start.ts', []],
  ['scripts/audit-verify.ts', []],
  ['scripts/backup.ts', ['/no/folder/a.backup']],
  ['scripts/db-migrate.ts', []],
  ['scripts/db-migrate.ts', ['status']],
  ['scripts/db-migrate.ts', ['dry-run']],
  ['scripts/db-recount.ts', []],
  ['scripts/secrets-rotate.ts', []],
  ['scripts/admin.ts', ['create', 'ada@example.com']],
] as const)('%s %o says so', async ([script, args]) => {
  const settings = { DATABASE_URL: CLOSED, WEBHOOK_SECRET: SHARED_SECRET, START_SECONDS: '0' }
  expect(await startProcess(settings, script, ...args).ended).toEqual(refusedBy('DATABASE_URL'))
})

test('a command names DATABASE_DIRECT_URL if it uses that address', async () => {
  const settings = { DATABASE_URL: server.toString(), DATABASE_DIRECT_URL: CLOSED }
  expect(await startProcess(settings, 'scripts/db-migrate.ts', 'status').ended).toEqual(
    refusedBy('DATABASE_DIRECT_URL'),
  )
})

test.skipIf(process.platform !== 'linux')('a server whose pg_hba.conf has no line for the connection', async () => {
  const dataDir = dataFolder()
  // An address of this test, so that the port is free.
  const at = `127.${process.pid % 250}.35.77`
  const postgres = await startEmbeddedPostgres({
    dataDir,
    durable: false,
    log: () => undefined,
    settings: { listen_addresses: at },
  })
  onTestFinished(async () => {
    await postgres.stop()
    rmSync(dataDir, { recursive: true, force: true })
  })
  expect(await faultOf(`postgresql://u:sEcret@${at}/d`)).toBe(
    `DATABASE_URL: PostgreSQL at ${at}:5432 refuses this connection: no pg_hba.conf entry for host "127.0.0.1", user "u", database "d", no encryption. Allow it in pg_hba.conf, or add sslmode=verify-full if PostgreSQL requires encryption.`,
  )
})
