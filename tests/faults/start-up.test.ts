import { once } from 'node:events'
import { rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { freePort } from '#tests/proxies.ts'
import { dataFolder, processesOf, startProcess } from '#tests/server-process.ts'

const DATA_DIR = dataFolder()
afterAll(() => rmSync(DATA_DIR, { recursive: true, force: true }))

/** Fails the test unless the process prints this one line and ends with 1. */
async function expectRefusal(settings: Record<string, string>, sentence: string): Promise<void> {
  expect(await startProcess(settings).ended).toEqual({ code: 1, stderr: `${sentence}\n` })
}

test('SIGTERM ends everything with 0, and a second start finds the data', async () => {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    const server = startProcess({ DATA_DIR })
    await server.ready()
    server.child.kill(signal)
    expect(await server.ended).toEqual({ code: 0, stderr: '' })
    expect(processesOf(DATA_DIR)).toEqual([])
  }
})

test('SIGTERM while starting ends everything with 0', async () => {
  const server = startProcess({ DATA_DIR })
  await expect.poll(() => processesOf(DATA_DIR).length, { interval: 10 }).toBeGreaterThan(0)
  server.child.kill('SIGTERM')
  expect(await server.ended).toEqual({ code: 0, stderr: '' })
  expect(processesOf(DATA_DIR)).toEqual([])
})

test('a second start over the same folder names the first start and does not disturb it', async () => {
  const server = startProcess({ DATA_DIR })
  const address = await server.ready()
  await expectRefusal(
    { DATA_DIR },
    `Another Switchboard (pid ${server.child.pid}) is using ${DATA_DIR}. Stop it first.`,
  )
  expect((await fetch(`${address}/readyz`)).status).toBe(200)
  server.child.kill('SIGTERM')
  await server.ended
})

test.each(['PORT', 'AI_PORT', 'OPS_PORT', 'AI_OPS_PORT', 'WORKER_OPS_PORT'])(
  'a taken %s is named in the end, and PostgreSQL stopped',
  async (variable) => {
    const holder = createServer().listen(0, '127.0.0.1')
    await once(holder, 'listening')
    const address = holder.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    await expectRefusal(
      { DATA_DIR, START_SECONDS: '0', [variable]: `${port}` },
      `Port ${port} on 127.0.0.1 is taken. Set ${variable} to another one.`,
    )
    holder.close()
    expect(processesOf(DATA_DIR)).toEqual([])
  },
)

test('a start waits for a taken port', async () => {
  const port = await freePort()
  const holder = createServer().listen(port, '127.0.0.1')
  await once(holder, 'listening')
  const server = startProcess({ DATA_DIR, PORT: `${port}` })
  await expect.poll(server.output).toContain(`Waiting for port ${port} of PORT: it is taken …`)
  holder.close()
  expect(await server.ready()).toBe(`http://localhost:${port}`)
  server.child.kill('SIGTERM')
  expect(await server.ended).toEqual({ code: 0, stderr: '' })
})

test('a bad setting is named', async () => {
  await expectRefusal({ DATA_DIR, PORT: 'abc' }, 'PORT must be a whole number from 1 to 65535, not "abc".')
})

test('an impossible folder is named', async () => {
  const file = path.join(DATA_DIR, 'file')
  writeFileSync(file, '')
  await expectRefusal({ DATA_DIR: path.join(file, 'data') }, `${file}/data is not a folder.`)
})

test('an unreachable database is named without its password', async () => {
  const url = 'postgresql://somebody:secret@127.0.0.1:1/switchboard'
  await expectRefusal(
    { DATABASE_URL: url, START_SECONDS: '0' },
    'DATABASE_URL: 127.0.0.1:1 refuses connections. Is PostgreSQL running there?',
  )
})

test('variables of other services do not stop a start, and the log names those with the name of a setting', async () => {
  const links = { SWITCHBOARD_SERVICE_HOST: '10.0.0.1', SWITCHBOARD_PORT: 'tcp://10.0.0.1:3000' }
  const server = startProcess({ DATA_DIR, ...links, BRAND_NAME: '/web/brand' })
  await server.ready()
  expect(server.output()).toContain('BRAND_NAME is \\"/web/brand\\", as Kubernetes and container links set it')
  server.child.kill('SIGTERM')
  expect(await server.ended).toEqual({ code: 0, stderr: '' })
})
