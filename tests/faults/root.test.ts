import { spawnSync } from 'node:child_process'
import { chownSync, chmodSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { connect } from '@switchboard/database/connection/connect'
import { urlOfRunning } from '@switchboard/embedded-postgres/embedded-postgres'
import { previewPrompt } from '@switchboard/contract/prompts'
import { sql } from 'kysely'
import { createEmptyDatabase } from '@switchboard/testing/test-database'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import {
  dataFolder,
  processesOf,
  type ServerProcess,
  SHARED_SECRET,
  startProcess,
  tokenAt,
} from '#tests/server-process.ts'

// Access of other users of the machine to the files of a product started by root.

const isRoot = process.getuid?.() === 0
const PASSWORD = 'seven sisters walk at dusk'
const DATA_DIR = dataFolder()
const passwd = isRoot
  ? readFileSync('/etc/passwd', 'utf8')
      .split('\n')
      .map((line) => line.split(':'))
  : []
let server: ServerProcess
let address = ''

beforeAll(async () => {
  if (!isRoot) return
  server = startProcess({ DATA_DIR, SUPER_ADMIN_PASSWORD: PASSWORD })
  address = await server.ready()
})
afterAll(async () => {
  server?.child.kill('SIGTERM')
  await server?.ended
  rmSync(DATA_DIR, { recursive: true, force: true })
})

test.runIf(isRoot)(
  'servers, renderer and PostgreSQL run as a user id that no user has, where it can read them',
  async () => {
    const answer = await fetch(`${address}${previewPrompt.url}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${await tokenAt(address, PASSWORD)}` },
      body: JSON.stringify({ template: 'Help with {{ goal }}.', variables: { goal: 'all' } }),
    })
    expect(answer.status).toBe(200)
    const family = () => familyOf(server.child.pid ?? 0)
    // Node, the renderer and its spare, the watchdog, PostgreSQL and its workers.
    await expect.poll(() => family().length).toBeGreaterThan(5)
    const { uid, gid } = statSync(DATA_DIR)
    // A new process changes its user before it runs its program.
    const ids = () => [...new Set(family().flatMap(userIds))].toSorted((a, b) => a - b)
    // Node stays root in a checkout that the user cannot read (docs/decisions/0024-root-is-given-up.md).
    const isReadable = spawnSync('test', ['-r', import.meta.filename], { uid, gid }).status === 0
    await expect.poll(ids).toEqual(isReadable ? [uid] : [0, uid])
    expect(passwd.map(([, , id]) => Number(id))).not.toContain(uid)
  },
)

test.runIf(isRoot).each(passwd.filter(([name = '']) => ['nobody', 'postgres', 'daemon'].includes(name)))(
  'the user %s reaches neither the socket nor a file of the data folder',
  (_name, _x, uid) => {
    const [socketFolder] =
      /\/\S*switchboard-\w{6}(?= -c unix_socket_permissions)/.exec(processesOf(DATA_DIR).join('\n')) ?? []
    const targets = ['server.lock', 'postgres-password', 'webhook-secret', 'postgres/PG_VERSION']
    for (const target of [...targets.map((name) => path.join(DATA_DIR, name)), `${socketFolder}/.s.PGSQL.5432`]) {
      expect(statSync(target)).toBeDefined()
      const { status } = spawnSync('test', ['-r', target], { uid: Number(uid), gid: 65_534 })
      expect(status, target).toBe(1)
    }
  },
)

test.runIf(isRoot)('the files and the folder are closed to other users by their modes', () => {
  const modeOf = (name: string) => (statSync(path.join(DATA_DIR, name)).mode & 0o777).toString(8)
  expect(['.', 'server.lock', 'postgres-password', 'webhook-secret'].map(modeOf)).toEqual(['700', '600', '600', '600'])
})

test.runIf(isRoot)('root itself needs the password of PostgreSQL', async () => {
  const url = new URL(urlOfRunning(DATA_DIR) ?? '')
  url.password = 'wrong'
  const db = connect(url.toString(), { max: 1, onLost: () => undefined })
  await expect(sql`select 1`.execute(db)).rejects.toThrow('password authentication failed')
  await db.destroy()
})

test.runIf(isRoot)(
  'a data folder with access for all is closed and needs a password after the next start',
  async () => {
    server.child.kill('SIGTERM')
    expect(await server.ended).toEqual({ code: 0, stderr: '' })
    openToAll()
    server = startProcess({ DATA_DIR, SUPER_ADMIN_PASSWORD: PASSWORD })
    address = await server.ready()
    expect((await fetch(`${address}/readyz`)).status).toBe(200)
    expect(await tokenAt(address, PASSWORD)).not.toBe('')
    expect(readFileSync(path.join(DATA_DIR, 'postgres/pg_hba.conf'), 'utf8')).toBe('local all all scram-sha-256\n')
    expect(statSync(path.join(DATA_DIR, 'postgres/base')).uid).toBe(statSync(DATA_DIR).uid)
    expect((statSync(DATA_DIR).mode & 0o777).toString(8)).toBe('700')
  },
)

describe.runIf(isRoot)('a server over a shared database, whose address is in a file', () => {
  const folder = dataFolder()
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const secretFile = (name: string, text: string) => {
    const file = path.join(folder, name)
    writeFileSync(file, text, { mode: 0o600 })
    return file
  }

  test('gives up root, also when only root can read the file, and opens new connections', async () => {
    await using database = await createEmptyDatabase(inject('postgresUrl'))
    const DATABASE_URL_FILE = secretFile('database_url', database.url)
    const shared = startProcess({ DATABASE_URL_FILE, WEBHOOK_SECRET: SHARED_SECRET }, 'apps/ai-api/src/main.ts')
    const readyz = `${await shared.ready()}/readyz`
    await expect.poll(() => userIds(shared.child.pid ?? 0)).not.toContain(0)
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`.execute(database.db)
    await expect.poll(async () => (await fetch(readyz)).status).toBe(200)
    shared.child.kill('SIGTERM')
    expect(await shared.ended).toMatchObject({ code: 0 })
  })

  test('does not start when only root can read the key of its certificate', async () => {
    const key = secretFile('client.key', '')
    const DATABASE_URL = `postgresql://ada:pw@127.0.0.1:1/none?sslkey=${key}`
    const shared = startProcess({ DATABASE_URL, WEBHOOK_SECRET: SHARED_SECRET }, 'apps/ai-api/src/main.ts')
    const { code, stderr } = await shared.ended
    expect(code).toBe(1)
    expect(stderr).toMatch(
      /^Started as root, the servers become user \d+, who cannot read \S+client\.key\. Let this user read/,
    )
  })
})

/** Gives the data to `nobody` without a password, in a folder of root with access for all. */
function openToAll(): void {
  const nobody = Number(passwd.find(([name]) => name === 'nobody')?.[2])
  writeFileSync(path.join(DATA_DIR, 'postgres/pg_hba.conf'), 'local all all trust\n')
  rmSync(path.join(DATA_DIR, 'postgres-password'))
  for (const file of readdirSync(path.join(DATA_DIR, 'postgres'), { recursive: true, encoding: 'utf8' }))
    chownSync(path.join(DATA_DIR, 'postgres', file), nobody, nobody)
  chownSync(path.join(DATA_DIR, 'postgres'), nobody, nobody)
  chownSync(DATA_DIR, 0, 0)
  chmodSync(DATA_DIR, 0o755)
  chmodSync(path.join(DATA_DIR, 'server.lock'), 0o644)
}

/** The process and all its descendants. */
function familyOf(pid: number): number[] {
  const children = ofProcess(pid, `task/${pid}/children`).trim().split(' ').filter(Boolean)
  return [pid, ...children.map(Number).flatMap(familyOf)]
}

/** The real, effective, saved and file-system user ids of a process (proc_pid_status(5)). */
function userIds(pid: number): number[] {
  const [, ...ids] = /^Uid:.*$/m.exec(ofProcess(pid, 'status'))?.[0].split('\t') ?? []
  return ids.map(Number)
}

/** A file about a process. Empty for a process that has ended, such as a worker of PostgreSQL. */
function ofProcess(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return ''
  }
}
