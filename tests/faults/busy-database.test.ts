import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect as connectSocket } from 'node:net'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { answerChallenge, beginPasskeySignIn, login } from '@switchboard/contract/auth'
import { me } from '@switchboard/contract/auth/session'
import { connect, poolCounts, withWait } from '@switchboard/database/connection/connect'
import { ONCE } from '@switchboard/database/start/until-started'
import type { Database } from '@switchboard/database/tables'
import { migrateDatabase } from '@switchboard/server/process/open-database'
import { type Kysely, sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { buildAdminApi } from '#apps/admin-api/src/app.ts'
import { startSsoWorld } from '#apps/admin-api/src/testing/sso-world.ts'
import { createFirstAdmin } from '#apps/admin-api/src/users/super-admins.service.ts'
import { startTestApi } from '#apps/admin-api/src/testing/test-api.ts'
import { isSupervisorInstalled } from './restartable-server.ts'
import { unsteadyPostgres } from './unsteady-postgres.ts'

// Servers wait for a busy database, and report it neither as a pooler nor as unreachable.

const BUSY = { detail: 'The server is busy. Try again in a moment.', code: 'unavailable' }
const UNREACHABLE = { detail: 'The database cannot be reached. Try again in a moment.', code: 'unavailable' }
/** Longer than a request waits for a connection, but shorter than a sign-in waits. */
const SLOW_MS = 4_000
/** Message types of PostgreSQL: each step in the authentication of a new connection, and an announcement. */
const AUTHENTICATION = 'R'
const NOTIFICATION = 'A'

const api = await startTestApi()
const { admin } = await api.signIn()

/** An admin-api over one connection to this address. */
async function adminApiAt(databaseUrl: string) {
  const pool = connect(databaseUrl, { max: 1, statementTimeoutMs: 60_000, onLost: () => undefined })
  const app = await buildAdminApi({ ...api.deps, db: pool })
  onTestFinished(async () => {
    await app.close()
    await pool.destroy()
  })
  return {
    pool,
    /** A call that looks up the session of an unknown token. */
    call: async () => await app.inject({ url: me.url, headers: { authorization: `Bearer ${'a'.repeat(43)}` } }),
    signIn: async () => {
      const payload = { email: admin.email, password: 'four kettles under plum' }
      return await app.inject({ method: login.method, url: login.url, payload })
    },
    passkey: async () => await app.inject({ method: beginPasskeySignIn.method, url: beginPasskeySignIn.url }),
    secondStep: async () => {
      const payload = { id: crypto.randomUUID(), code: '123456' }
      return await app.inject({ method: answerChallenge.method, url: answerChallenge.url, payload })
    },
  }
}

test('without a free connection, a call says that the server is busy, and a sign-in waits', async () => {
  const { pool, call, signIn, passkey, secondStep } = await adminApiAt(api.databaseUrl)
  const held = await holdConnections(pool)
  const waiting = [signIn(), passkey(), secondStep()]
  const called = await call()
  await held.release()
  const signIns = await Promise.all(waiting)
  expect([called.statusCode, called.json(), called.headers['retry-after']]).toEqual([503, BUSY, '2'])
  // The challenge of the second step is unknown.
  expect(signIns.map(({ statusCode }) => statusCode)).toEqual([200, 200, 401])
  expect((await call()).statusCode).toBe(401)
})

test('single sign-on waits for a connection', async () => {
  const { api: ssoApi, personAt, placeAfterSignIn } = await startSsoWorld()
  const held = await holdConnections(ssoApi.db)
  const place = placeAfterSignIn(personAt())
  await expect.poll(() => poolCounts(ssoApi.db).waiting).toBeGreaterThan(0)
  await sleep(SLOW_MS)
  await held.release()
  expect(await place).toContain('/login#sso=')
})

test('a sign-in waits for a connection that takes seconds, and the next call reuses it', async () => {
  // The authentication takes three messages.
  const slow = await delayed(AUTHENTICATION, SLOW_MS / 3)
  const { call, signIn } = await adminApiAt(slow)
  const [called, signedIn] = await Promise.all([call(), signIn()])
  expect([called.statusCode, called.json()]).toEqual([503, BUSY])
  expect(signedIn.statusCode).toBe(200)
  expect((await call()).statusCode).toBe(401)
})

test('a refused connection is reported as an unreachable database', async () => {
  const { call, signIn } = await adminApiAt('postgresql://somebody:secret@127.0.0.1:1/none')
  for (const answer of await Promise.all([call(), signIn()]))
    expect([answer.statusCode, answer.json()]).toEqual([503, UNREACHABLE])
})

test.skipIf(!isSupervisorInstalled || process.platform !== 'linux')(
  'a host that does not answer is reported as an unreachable database',
  async () => {
    const { signIn } = await adminApiAt(`postgresql://somebody:secret@127.0.0.1:${await deafPort()}/none`)
    const answer = await signIn()
    expect([answer.statusCode, answer.json()]).toEqual([503, UNREACHABLE])
  },
)

test('a PostgreSQL that takes seconds for an announcement is not reported as a pooler', async () => {
  await migrateDatabase(await delayed(NOTIFICATION, SLOW_MS), { patience: ONCE })
})

test('the first super admin is shown even if the answer to its commit was lost', async () => {
  const { db, deps, databaseUrl } = await startTestApi()
  let lost = 0
  const { url, stop } = await unsteadyPostgres(databaseUrl, (answer) => {
    if (!answer.includes('COMMIT\0') || lost > 0) return 0
    lost += 1
    return 'lost'
  })
  onTestFinished(stop)
  const pool = connect(url, { max: 1, onLost: () => undefined })
  onTestFinished(() => pool.destroy())
  const given = { email: 'first@example.com', password: null }
  const made = await createFirstAdmin({ ...deps, db: pool }, given, { ...ONCE, ms: 60_000 })
  const { password_hash } = await db.selectFrom('users').select('password_hash').executeTakeFirstOrThrow()
  expect([lost, await deps.passwords.verify(password_hash, made?.password ?? '')]).toEqual([1, true])
})

/** The address of a PostgreSQL that delays its messages of this type. */
async function delayed(type: string, delayMs: number): Promise<string> {
  return await unsteady((answer) => (answer[0] === type.codePointAt(0) ? delayMs : 0))
}

async function unsteady(fateOf: (answer: Buffer) => number | 'lost'): Promise<string> {
  const { url, stop } = await unsteadyPostgres(api.databaseUrl, fateOf)
  onTestFinished(stop)
  return url
}

/** Takes all connections of the pool until `release`. Resolves when they are open. */
async function holdConnections(pool: Kysely<Database>): Promise<{ release: () => Promise<void> }> {
  const patient = withWait(pool, 60_000)
  const released = Promise.withResolvers<void>()
  const hold = async () => {
    const opened = Promise.withResolvers<void>()
    const ended = patient.connection().execute(async (connection) => {
      await sql`select 1`.execute(connection)
      opened.resolve()
      await released.promise
    })
    await Promise.race([opened.promise, ended])
    return { ended }
  }
  const held = await Promise.all(Array.from({ length: poolCounts(pool).max }, hold))
  return {
    release: async () => {
      released.resolve()
      for (const { ended } of held) await ended
    },
  }
}

/**
 * A port whose queue of new connections is full, so attempts to connect get no answer. Written in Perl, because Node
 * accepts connections at once.
 */
async function deafPort(): Promise<number> {
  const listen = `use IO::Socket::INET; $| = 1;
    my $socket = IO::Socket::INET->new(LocalAddr => '127.0.0.1', LocalPort => 0, Listen => 1) or die;
    listen($socket, 0); print $socket->sockport, "\\n"; sleep 600`
  const listener = spawn('perl', ['-e', listen], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = await once(createInterface(listener.stdout), 'line')
  const port = Number(line)
  const waiting = connectSocket(port, '127.0.0.1')
  await once(waiting, 'connect')
  onTestFinished(() => {
    waiting.destroy()
    listener.kill('SIGKILL')
  })
  return port
}
