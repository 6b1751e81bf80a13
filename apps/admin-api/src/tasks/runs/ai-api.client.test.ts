import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http'
import { RUN_REFUSALS, TASK_ALREADY_RUNNING } from '@switchboard/contract/runs'
import { AppError } from '@switchboard/server/http/errors'
import { isSigned } from '@switchboard/server/webhooks/webhook-signature'
import { expect, onTestFinished, test } from 'vitest'
import { createAiApiClient } from './ai-api.client.ts'

const SECRET = 'the-secret-of-this-test-file-1234'
const BODY = {
  task_id: crypto.randomUUID(),
  super_admin_id: crypto.randomUUID(),
  timestamp: '2026-11-20T12:00:00.000Z',
}
const CALLER = { request_id: 'request-1', address: '192.0.2.7' }
const RESULT = {
  result: { status: 'success', success: true, execution_status: 'executed', message: 'Done.', run_id: BODY.task_id },
}

test('a call is signed, names the actor, and its answer is parsed by the schema', async () => {
  const seen: { line: string; headers: IncomingHttpHeaders; body: string }[] = []
  const client = await clientOf((request, response) => {
    request.setEncoding('utf8').on('data', (body: string) => {
      seen.push({ line: `${request.method} ${request.url}`, headers: request.headers, body })
    })
    request.on('end', () => response.end(JSON.stringify({ ...RESULT, more: 1 })))
  })
  for (let n = 0; n < 2; n += 1) expect(await client.executeTask(BODY, CALLER)).toEqual(RESULT)
  const ids = seen.map(({ line, headers, body }) => {
    const [id, timestamp, signature] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
      String(headers[name]),
    )
    expect([line, JSON.parse(body)]).toEqual(['POST /webhooks/execute-task', { ...BODY, actor: CALLER }])
    expect(timestamp).toBe(String(Date.parse(BODY.timestamp) / 1_000))
    expect(isSigned([SECRET], { id: id ?? '', timestamp: timestamp ?? '', body }, signature ?? '')).toBe(true)
    expect(JSON.stringify(headers)).not.toContain(SECRET)
    return id
  })
  expect(new Set(ids).size).toBe(2)
})

test.for([
  [200, { status: 'success' }],
  [200, { result: { execution_status: 'executed', message: null } }],
  [201, { success: false, message: 'No such place.' }],
  [202, { result: { message: 'Nothing to do.' } }],
] as const)('an answer of another AI API is passed on: %i %j', async ([status, report]) => {
  const client = await clientOf((_request, response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ ...report, more: 1 })),
  )
  expect(await client.executeTask(BODY, CALLER)).toEqual(report)
})

const answers: [string, number, string, Record<string, string>, number, string][] = [
  ['a refusal of ours', 409, JSON.stringify({ detail: TASK_ALREADY_RUNNING }), {}, 409, TASK_ALREADY_RUNNING],
  ['no such task', 404, '{"detail":"Task not found"}', {}, 404, 'Task not found'],
  [
    'no such page',
    404,
    '{"detail":"Not found"}',
    {},
    502,
    'The AI API gave an answer that cannot be read. Ask operations.',
  ],
  [
    'an unknown refusal',
    409,
    '{"detail":"<b>secret</b>"}',
    {},
    502,
    'The AI API gave an answer that cannot be read. Ask operations.',
  ],
  [
    'another secret',
    401,
    '{"detail":"Not authenticated"}',
    {},
    502,
    'The AI API refuses the webhook signature. Ask operations to check WEBHOOK_SECRET.',
  ],
  ['a busy database', 503, '{"detail":"…"}', {}, 503, 'The AI API is busy. Try again in a moment.'],
  ['a fault', 500, 'oops', {}, 502, 'The AI API gave an answer that cannot be read. Ask operations.'],
  ['a page', 200, '<html>', {}, 502, 'The AI API gave an answer that cannot be read. Ask operations.'],
  [
    'another shape',
    200,
    '{"result":{"state":"fine"}}',
    {},
    502,
    'The AI API gave an answer that cannot be read. Ask operations.',
  ],
  [
    'another place',
    302,
    '',
    { location: 'http://127.0.0.1:1/' },
    502,
    'The AI API gave an answer that cannot be read. Ask operations.',
  ],
  [
    'two megabytes',
    200,
    JSON.stringify('x'.repeat(2 * 1_048_576)),
    {},
    502,
    'The AI API cannot be reached. Try again in a moment.',
  ],
]
test.for(answers)('%s becomes a sentence', async ([, status, text, headers, expectedStatus, sentence]) => {
  const client = await clientOf((_request, response) => response.writeHead(status, headers).end(text))
  expect(await refusal(client.executeTask(BODY, CALLER))).toEqual([expectedStatus, sentence])
})

test('a timeout and an unreachable server become sentences', async () => {
  const slow = await clientOf(() => undefined, 100)
  expect(await refusal(slow.executeTask(BODY, CALLER))).toEqual([
    504,
    'The AI API did not answer in time. See the runs of the task.',
  ])
  const nobody = createAiApiClient({ url: 'http://127.0.0.1:1', secret: SECRET })
  expect(await refusal(nobody.executeTask(BODY, CALLER))).toEqual([
    502,
    'The AI API cannot be reached. Try again in a moment.',
  ])
})

test('all forwarded refusals are sentences', () => {
  for (const sentence of RUN_REFUSALS) expect(sentence).toMatch(/^[A-Z].*\.$/)
})

async function clientOf(listener: RequestListener, totalMs = 15_000) {
  const server = createServer(listener)
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const client = createAiApiClient({ url: `http://127.0.0.1:${port}`, secret: SECRET, totalMs })
  onTestFinished(async () => {
    server.closeAllConnections()
    server.close()
    await client.close()
  })
  return client
}

async function refusal(call: Promise<unknown>): Promise<unknown> {
  const error = await call.then(
    () => expect.fail('no refusal'),
    (reason: unknown) => reason,
  )
  if (!(error instanceof AppError)) throw error
  expect(error.message).not.toContain(SECRET)
  return [error.statusCode, error.message]
}
