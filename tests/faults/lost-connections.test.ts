import { rmSync } from 'node:fs'
import { connect as connectSocket, type Socket } from 'node:net'
import { connect } from '@switchboard/database/connection/connect'
import { urlOfRunning } from '@switchboard/embedded-postgres/embedded-postgres'
import { makeManyTenants } from '@switchboard/testing/factories'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { dataFolder, startProcess, tokenAt } from '#tests/server-process.ts'

const DATA_DIR = dataFolder()
const PASSWORD = 'connections come and go'
const server = startProcess({ DATA_DIR, SUPER_ADMIN_PASSWORD: PASSWORD })
let address = ''
let authorization = ''

beforeAll(async () => {
  address = await server.ready()
  const db = connect(urlOfRunning(DATA_DIR) ?? '', { isPatient: true })
  await makeManyTenants(db, 60_000)
  await db.destroy()
  authorization = `Bearer ${await tokenAt(address, PASSWORD)}`
})

afterAll(async () => {
  server.child.kill('SIGTERM')
  expect(await server.ended).toMatchObject({ code: 0 })
  rmSync(DATA_DIR, { recursive: true, force: true })
})

const listTenants = (query: string) => fetch(`${address}/api/v1/admin/tenants${query}`, { headers: { authorization } })

test('clients that stop reading a whole list are disconnected and do not block others', async () => {
  const stalled = Array.from({ length: 6 }, () => stalledReader())
  await new Promise((resolve) => setTimeout(resolve, 1_000))
  expect((await listTenants('?limit=1')).status).toBe(200)
  await Promise.all(stalled.map(({ closed }) => closed))
  const whole = await listTenants('')
  expect(whole.status).toBe(200)
  expect(await whole.json()).toHaveLength(60_000)
})

test('the server continues after the database has closed every connection in the middle of writes', async () => {
  const db = connect(urlOfRunning(DATA_DIR) ?? '', { max: 1, isPatient: true })
  // A session per writer: together the writers exceed the limit of changes of one session.
  const tokens: string[] = []
  for (let n = 0; n < 6; n += 1) tokens.push(await tokenAt(address, PASSWORD))
  const until = performance.now() + 2_500
  const statuses = new Set<number>()
  const write = async (token: string) => {
    while (performance.now() < until) {
      const name = crypto.randomUUID()
      const body = JSON.stringify({ name, subdomain: name, tenant_type: 'product' })
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
      statuses.add((await fetch(`${address}/api/v1/admin/tenants`, { method: 'POST', headers, body })).status)
    }
  }
  const writing = tokens.map(write)
  for (let round = 0; round < 10; round += 1) {
    await sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'switchboard' and pid <> pg_backend_pid()`.execute(
      db,
    )
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  await Promise.all(writing)
  await db.destroy()
  expect(server.child.exitCode).toBeNull()
  expect([...statuses].filter((status) => status !== 201 && status !== 503)).toEqual([])
  await expect.poll(async () => (await fetch(`${address}/readyz`)).status).toBe(200)
})

/** Requests the whole list and stops reading, so only the system's buffers fill. */
function stalledReader(): { closed: Promise<void> } {
  const { hostname, port } = new URL(address)
  const socket: Socket = connectSocket(Number(port), hostname, () => {
    socket.write(
      `GET /api/v1/admin/tenants HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: ${authorization}\r\n\r\n`,
    )
    socket.pause()
  })
  socket.on('error', () => {})
  return {
    closed: new Promise((resolve) => {
      socket.once('close', () => resolve())
      // A paused socket detects the end only when it reads again.
      setTimeout(() => socket.resume(), 12_000)
    }),
  }
}
