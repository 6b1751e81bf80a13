import { readFileSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import { executeTask } from '@switchboard/contract/runs'
import { afterAll, expect, test } from 'vitest'
import { signedHeaders } from '#apps/ai-api/src/testing/signed-headers.ts'
import { dataFolder, startProcess } from '#tests/server-process.ts'

const DATA_DIR = dataFolder()
const file = path.join(DATA_DIR, 'webhook-secret')
afterAll(() => rmSync(DATA_DIR, { recursive: true, force: true }))

/** Starts the whole product, sends a run request for an unknown admin to its ai-api, and stops the product. */
async function statusFor(secret: () => string): Promise<number> {
  const server = startProcess({ DATA_DIR, WEBHOOK_SECRET: '' })
  await server.ready()
  const [, aiUrl] = /AI API +([^\s"]+)/.exec(server.output()) ?? []
  const ids = { task_id: crypto.randomUUID(), super_admin_id: crypto.randomUUID() }
  const body = JSON.stringify({ ...ids, timestamp: new Date().toISOString() })
  const answer = await fetch(`${aiUrl}${executeTask.url}`, {
    method: executeTask.method,
    headers: { 'content-type': 'application/json', ...signedHeaders(body, { secret: secret() }) },
    body,
  })
  server.child.kill('SIGTERM')
  expect((await server.ended).code).toBe(0)
  expect(server.output()).not.toContain(readFileSync(file, 'utf8'))
  return answer.status
}

test('the product generates its webhook secret at the first start, stores it privately, and accepts no other', async () => {
  const storedSecret = () => readFileSync(file, 'utf8')
  // The secret is accepted, but no super admin has this id.
  expect(await statusFor(storedSecret)).toBe(403)
  const first = storedSecret()
  expect(first).toMatch(/^[\w-]{43}$/)
  if (process.platform !== 'win32') expect((statSync(file).mode & 0o777).toString(8)).toBe('600')
  expect(await statusFor(() => first)).toBe(403)
  expect(storedSecret()).toBe(first)
  expect(await statusFor(() => 'x'.repeat(43))).toBe(401)
  // Three starts of the whole product.
})
