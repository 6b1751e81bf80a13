import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import { json } from 'node:stream/consumers'
import { authorizeKey } from '@switchboard/contract/api-keys/key-verification'
import { login } from '@switchboard/contract/auth'
import { runTask } from '@switchboard/contract/runs'
import { createTask } from '@switchboard/contract/tasks'
import { createTenant } from '@switchboard/contract/tenants'
import { afterAll, expect, test } from 'vitest'
import { z } from 'zod'
import { dataFolder, startProcess } from '#tests/server-process.ts'

const attribute = z.object({ key: z.string(), value: z.object({ stringValue: z.string().optional() }) })
const span = z.object({
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.string().optional(),
  name: z.string(),
  attributes: z.array(attribute),
})
const request = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes: z.array(attribute) }),
      scopeSpans: z.array(z.object({ spans: z.array(span) })),
    }),
  ),
})
type Span = z.infer<typeof span>
const created = z.object({ id: z.string() })

const DATA_DIR = dataFolder()
afterAll(() => rmSync(DATA_DIR, { recursive: true, force: true }))

/** A collector for OTLP over HTTP, as JSON. */
async function startCollector() {
  const spans: (Span & { service: string | undefined })[] = []
  const take = async (incoming: IncomingMessage) => {
    for (const { resource, scopeSpans } of request.parse(await json(incoming)).resourceSpans) {
      const service = resource.attributes.find(({ key }) => key === 'service.name')?.value.stringValue
      for (const { spans: taken } of scopeSpans) spans.push(...taken.map((one) => ({ ...one, service })))
    }
  }
  const server = createServer((incoming, answer) => {
    void take(incoming).then(() => answer.setHeader('content-type', 'application/json').end('{}'))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  afterAll(() => void server.close())
  const address = server.address()
  return { spans, url: `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}` }
}

test('one trace leads from a click to admin-api, ai-api, the queue, the worker and the statements', async () => {
  const { spans, url } = await startCollector()
  const password = 'four kettles under plum'
  const settings = { SUPER_ADMIN_PASSWORD: password, LOG_LEVEL: 'info' }
  // Only the trace of the click is recorded.
  const tracing = { OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_TRACES_SAMPLER: 'parentbased_always_off' }
  const server = startProcess({ DATA_DIR, ...settings, ...tracing })
  const address = await server.ready()
  const post = async (path: string, content: object, headers: Record<string, string> = {}): Promise<unknown> => {
    const answer = await fetch(`${address}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(content),
    })
    expect(answer.ok).toBe(true)
    return await answer.json()
  }
  const { access_token, admin } = login.schema.response[200].parse(
    await post(login.url, { email: 'admin@switchboard.local', password }),
  )
  const authorization = `Bearer ${access_token}`
  const named = { name: 'Harbor Dental', subdomain: 'harbor', tenant_type: 'product' }
  const tenant = created.parse(await post(createTenant.url, named, { authorization }))
  const scheduled = {
    tenant_id: tenant.id,
    schedule_name: 'pull_google_review',
    frequency: 'daily',
    extra_data: { place_id: 'ChIJN1t_tDeuEmsRUsoyG83frY4' },
  }
  const task = created.parse(await post(createTask.url, scheduled, { authorization }))
  const [traceId, clickId] = ['0af7651916cd43dd8448eb211c80319c', 'b7ad6b7169203331']
  const body = { task_id: task.id, super_admin_id: admin.id, timestamp: new Date().toISOString() }
  await post(runTask.url.replace(':task_id', task.id), body, {
    authorization,
    traceparent: `00-${traceId}-${clickId}-01`,
  })
  const [, aiAddress = ''] = /AI API +([^\s"]+)/.exec(server.output()) ?? []
  const check = async (headers: Record<string, string>) =>
    (await fetch(`${aiAddress}${authorizeKey.url}`, { headers: { 'x-api-key': 'none', ...headers } })).status
  expect(await check({})).toBe(401)
  expect(await check({ traceparent: `00-${traceId}-${clickId}-00` })).toBe(401)
  expect(await check({ traceparent: `00-${traceId}-${clickId}-01` })).toBe(401)
  // A process that ends sends its last spans only for a while.
  const names = () => spans.map(({ name }) => name)
  const awaited = ['GET /v1/keys/authorize', 'POST /api/v1/admin/tasks/:task_id/run', 'process run-task']
  await expect.poll(names).toEqual(expect.arrayContaining(awaited))
  server.child.kill('SIGTERM')
  await server.ended

  expect(new Set(spans.map((one) => one.traceId))).toEqual(new Set([traceId]))
  expect(new Set(spans.map(({ service }) => service))).toEqual(new Set(['switchboard']))
  const byId = new Map(spans.map((one) => [one.spanId, one]))
  /** The names of the spans from the click to this span. */
  const pathTo = (last: Span | undefined): string[] =>
    last === undefined ? [] : [...pathTo(byId.get(last.parentSpanId ?? '')), last.name]
  const inWorker = spans.find(
    ({ name, parentSpanId }) => name === 'select' && byId.get(parentSpanId ?? '')?.name === 'process run-task',
  )
  expect(pathTo(inWorker)).toEqual([
    'POST /api/v1/admin/tasks/:task_id/run',
    'POST /webhooks/execute-task',
    expect.stringMatching(/run-task$/),
    'process run-task',
    'select',
  ])
  expect(byId.get(spans.find(({ name }) => name.endsWith('/run'))?.spanId ?? '')?.parentSpanId).toBe(clickId)
  expect(server.output()).toContain(`"trace_id":"${traceId}"`)
  expect(spans.filter(({ name }) => name === 'GET /v1/keys/authorize')).toMatchObject([{ parentSpanId: clickId }])
})
