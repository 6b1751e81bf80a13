import { spawn } from 'node:child_process'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { makeApiKey, makeTenant } from '@switchboard/testing/factories'
import { createTestDatabase } from '@switchboard/testing/test-database'
import { afterAll, expect, inject, onTestFinished, test } from 'vitest'
import { startAiApi } from '#tests/server-process.ts'

// The example runtimes of the documents, with the stand-in for a model.

const EXAMPLES = path.resolve(import.meta.dirname, '../../docs/examples')
const { default: worker } = await import(path.join(EXAMPLES, 'worker/worker.js'))
const { db, url: databaseUrl, drop } = await createTestDatabase(inject('postgresUrl'))
const aiApi = startAiApi({ databaseUrl })
afterAll(async () => {
  aiApi.child.kill('SIGTERM')
  await aiApi.ended
  await drop()
})

const tenant = await makeTenant(db, { goal: 'book a table' })
const { api_key } = await makeApiKey(db, { tenant_id: tenant.id })

/** Runs an example until the end of the test and returns the address that it prints. */
async function startExample(file: string, settings: Record<string, string> = {}): Promise<string> {
  const env = { ...process.env, PORT: '0', ...settings }
  const child = spawn(process.execPath, [path.join(EXAMPLES, file)], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill())
  for await (const line of createInterface({ input: child.stdout })) return line.replace('Ready: ', '')
  throw new Error(`${file} ended.`)
}

test('the runtime in one file answers with the prompt of the tenant, and refuses an unknown key', async () => {
  const [AI_API_URL, MODEL_URL] = await Promise.all([aiApi.ready(), startExample('runtime/stand-in-model.mjs')])
  const address = await startExample('runtime/runtime.mjs', { AI_API_URL, MODEL_URL, SWITCHBOARD_TOKEN: api_key })
  const send = async (key: string) => {
    const body = JSON.stringify({ message: 'A table for two?' })
    const answer = await fetch(address, { method: 'POST', headers: { 'x-api-key': key }, body })
    return [answer.status, await answer.json()]
  }
  const [status, { reply }] = await send(api_key)
  expect(status).toBe(200)
  expect(reply).toContain('You said: A table for two?')
  expect(reply).toContain('Your goal in this conversation: book a table.')
  expect(await send('none')).toEqual([401, { detail: 'Invalid API key' }])
})

test('the worker answers with the prompt of the tenant, also to browsers', async () => {
  const [AI_API_URL, MODEL_URL] = await Promise.all([aiApi.ready(), startExample('runtime/stand-in-model.mjs')])
  const env = { AI_API_URL, MODEL_URL, MODEL: 'stand-in', MODEL_KEY: '', SWITCHBOARD_TOKEN: api_key }
  const send = async (init: RequestInit) =>
    await worker.fetch(new Request('https://assistants.example/', init), env, { waitUntil: () => {} })
  const body = JSON.stringify({ message: 'A table for two?' })
  const answer = await send({ method: 'POST', headers: { 'x-api-key': api_key }, body })
  expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([200, '*'])
  expect(await answer.text()).toContain('Your goal in this conversation: book a table.')
  const refusal = await send({ method: 'POST', body })
  expect([refusal.status, refusal.headers.get('access-control-allow-origin')]).toEqual([401, '*'])
  expect((await send({ method: 'OPTIONS' })).status).toBe(204)
})
