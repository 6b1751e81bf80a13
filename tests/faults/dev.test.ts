import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { freePort } from '#tests/proxies.ts'
import { dataFolder } from '#tests/server-process.ts'
import { copyOfSources } from './checkout.ts'

// `npm run dev` in a copy of the sources.

const root = path.resolve(import.meta.dirname, '../..')
const checkout = copyOfSources()
const DATA_DIR = dataFolder()
const [port, devPort] = [await freePort(), await freePort()]
const PORTS = {
  PORT: `${port}`,
  AI_PORT: '0',
  OPS_PORT: '0',
  AI_OPS_PORT: '0',
  WORKER_OPS_PORT: '0',
  DEV_PORT: `${devPort}`,
}
symlinkSync(path.join(root, 'node_modules'), path.join(checkout, 'node_modules'))
const dev = spawn(process.execPath, ['scripts/dev.ts'], {
  cwd: checkout,
  env: { ...process.env, DATABASE_URL: '', DATA_DIR, BRAND_NAME: 'Plugboard', ...PORTS },
})
let printed = ''
for (const stream of [dev.stdout, dev.stderr]) stream.on('data', (chunk) => (printed += chunk))

afterAll(async () => {
  const ended = once(dev, 'exit')
  dev.kill('SIGTERM')
  await ended
  for (const folder of [checkout, DATA_DIR]) rmSync(folder, { recursive: true, force: true })
})

test('restarts after each replaced file', async () => {
  const file = path.join(checkout, 'apps/admin-api/src/tenants/tenants.routes.ts')
  await expectStarts(1)
  for (const starts of [2, 3]) {
    copyFileSync(file, `${file}.new`)
    renameSync(`${file}.new`, file)
    await expectStarts(starts)
  }
})

test('restarts for new SQL', async () => {
  writeFileSync(path.join(checkout, 'packages/database/src/new.sql'), '')
  await expectStarts(4)
})

test('serves the console with its settings, and passes calls on to PORT', async () => {
  expect(await (await fetch(`http://localhost:${devPort}/`)).text()).toContain('"brand_name":"Plugboard"')
  expect((await fetch(`http://localhost:${devPort}/api/v1/admin/auth/me`)).status).toBe(401)
})

async function expectStarts(count: number): Promise<void> {
  await expect.poll(() => printed.split(' is ready: ').length - 1, { timeout: 60_000 }).toBe(count)
}
