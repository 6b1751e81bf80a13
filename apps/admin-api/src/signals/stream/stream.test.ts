import { randomUUID } from 'node:crypto'
import { connect as openSocket } from 'node:net'
import { PassThrough } from 'node:stream'
import { updateProfile } from '@switchboard/contract/account'
import type { ConsoleRole } from '@switchboard/contract/auth/current-admin'
import {
  type StreamedEntry,
  streamEvents,
  STREAM_GAP_MAX,
  STREAMS_PER_SESSION_MAX,
} from '@switchboard/contract/signals/stream'
import { endOfLog } from '@switchboard/database/audit/read-log'
import { sealAudit } from '@switchboard/database/audit/seal-audit'
import { writeAudits } from '@switchboard/database/audit/audit.queries'
import { makeRun, makeTask, makeTenant } from '@switchboard/testing/factories'
import { makeToken } from '@switchboard/testing/token-factory'
import { makeDelivery, makeWebhook } from '@switchboard/testing/webhook-factory'
import { afterEach, describe, expect, test } from 'vitest'
import { PASSWORD, startTestApi } from '#src/testing/test-api.ts'
import { createStreams } from './stream.service.ts'

const api = await startTestApi()
const ada = await api.signIn('ada@example.com')
const address = await api.app.listen({ port: 0, host: '127.0.0.1' })
const url = '/api/v1/admin'
const harbor = await makeTenant(api.db, { name: 'Harbor' })

type Frame = {
  event: string
  id: number | null
  retry: string | null
  data: StreamedEntry & { reason?: string; kinds?: string[] }
}
type Ask = { token?: string; after?: number; headers?: Record<string, string> }

const leaving: AbortController[] = []
afterEach(() => leaving.splice(0).forEach((one) => one.abort()))

const ask = async ({ token = ada.token, after, headers }: Ask = {}) => {
  const signal = new AbortController()
  leaving.push(signal)
  return await fetch(`${address}${streamEvents.url}${after === undefined ? '' : `?after=${after}`}`, {
    headers: { authorization: `Bearer ${token}`, accept: 'text/event-stream', ...headers },
    signal: signal.signal,
  })
}

/** Opens a stream and collects its frames. */
async function open(asked: Ask = {}) {
  const answer = await ask(asked)
  expect(answer.status).toBe(200)
  const frames: Frame[] = []
  const reading = (async () => {
    let text = ''
    for await (const chunk of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      const parts = (text + chunk).split('\n\n')
      text = parts.pop() ?? ''
      frames.push(...parts.filter((part) => !part.startsWith(':')).map(frameOf))
    }
    return 'ended'
  })().catch(() => 'aborted')
  const entries = () => frames.filter(({ event }) => event === 'entry').map(({ data }) => data)
  return { answer, frames, entries, reading }
}

function frameOf(part: string): Frame {
  const fields = new Map(
    part.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
  )
  const id = fields.get('id')
  return {
    event: fields.get('event') ?? '',
    id: id === undefined ? null : Number(id),
    retry: fields.get('retry') ?? null,
    data: JSON.parse(fields.get('data') ?? ''),
  }
}

const change = (goal: string) => ada.call({ method: 'PUT', url: `${url}/tenants/${harbor.id}`, body: { goal } })
/** The end of the log, sealed. */
const endOf = async () => {
  await sealAudit(api.db)
  return await endOfLog(api.db)
}
const manyEntries = (count: number, name = 'Harbor') =>
  api.db.transaction().execute((trx) =>
    writeAudits(
      trx,
      new Date(api.clock.at.getTime() - 60_000),
      { id: ada.admin.id, email: ada.admin.email, address: null, request_id: null },
      Array.from({ length: count }, () => ({
        action: 'tenants.update',
        target: { type: 'tenant', id: null, name, tenant_id: null },
      })),
    ),
  )

test('a change arrives within a second with its actor and target, and without its values', async () => {
  const stream = await open()
  const answer = await change('sell more kettles')
  const { version } = answer.json()
  await expect
    .poll(() => stream.entries().at(-1))
    .toMatchObject({
      action: 'tenants.update',
      outcome: 'done',
      actor_id: ada.admin.id,
      actor_email: ada.admin.email,
      actor_name: ada.admin.name,
      version,
      target_type: 'tenant',
      target_id: harbor.id,
      target_name: 'Harbor',
      tenant_id: harbor.id,
      request_id: answer.headers['x-request-id'],
    })
  expect(JSON.stringify(stream.frames)).not.toContain('kettles')
})

test('the answer passes proxies unbuffered, uncompressed and uncached', async () => {
  const { answer, frames } = await open({ headers: { 'accept-encoding': 'br, gzip' } })
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store, no-transform',
    'x-accel-buffering': 'no',
  })
  expect(answer.headers.has('content-encoding')).toBe(false)
  await expect.poll(() => frames[0]).toMatchObject({ event: 'open', retry: '2000' })
})

test('a change that leaves the version as it is, and a deletion, have no newer version', async () => {
  const stream = await open()
  const { id, version } = await makeTenant(api.db, { name: 'Quay' })
  await ada.call({ method: 'POST', url: `${url}/tenants/${id}/notes`, body: { text: 'Pays late.' } })
  await expect.poll(() => stream.entries().at(-1)).toMatchObject({ action: 'notes.create', version })
  await ada.call({ method: 'DELETE', url: `${url}/tenants/${id}` })
  await expect.poll(() => stream.entries().at(-1)).toMatchObject({ action: 'tenants.delete', version: null })
})

describe('rows that begin and end without an entry', () => {
  const endRun = async () => {
    const { id: tenant_id } = await makeTenant(api.db)
    const { id: task_id } = await makeTask(api.db, { tenant_id })
    await makeRun(api.db, { task_id, created_at: api.clock.at, finished_at: api.clock.at })
  }
  const endDelivery = async () => {
    const { id: webhook_id } = await makeWebhook(api.db)
    await makeDelivery(api.db, { webhook_id, state: 'delivered', at: api.clock.at, ended_at: api.clock.at })
  }
  const kindsOf = ({ frames }: Awaited<ReturnType<typeof open>>) =>
    frames.filter(({ event }) => event === 'moved').map(({ data }) => data.kinds)

  test.for([
    ['runs', endRun],
    ['deliveries', endDelivery],
  ] as const)('are told by their kind: %s', async ([kind, end]) => {
    api.minutesLater(1)
    const stream = await open()
    await expect.poll(() => stream.frames.length).toBeGreaterThan(0)
    await end()
    await expect.poll(() => kindsOf(stream)).toEqual([[kind]])
  })

  test('are all told to a reader with a position, and the ones of the last seconds to one without', async () => {
    api.minutesLater(1)
    await endRun()
    const fresh = await open()
    await expect.poll(() => kindsOf(fresh)).toEqual([['runs']])
    const back = await open({ after: await endOf() })
    await expect.poll(() => kindsOf(back)).toEqual([['runs', 'deliveries']])
  })
})

describe('a reader', () => {
  test('without a position gets the entries of the last ten seconds', async () => {
    api.minutesLater(1)
    const before = await endOf()
    await change('recent')
    const stream = await open()
    await expect.poll(() => stream.entries().map(({ seq }) => seq)).toEqual([before + 1])
    api.minutesLater(1)
    const later = await open()
    await expect.poll(() => later.frames.map(({ event, id }) => [event, id])).toEqual([['open', before + 1]])
  })

  test.for(['last-event-id', 'after'] as const)('continues at its position, in %s', async (name) => {
    const from = await endOf()
    for (const goal of ['one', 'two', 'three']) await change(`${goal} ${name}`)
    const given = name === 'after' ? { after: from } : { after: 0, headers: { 'last-event-id': String(from) } }
    const stream = await open(given)
    await expect.poll(() => stream.entries().map(({ seq }) => seq)).toEqual([from + 1, from + 2, from + 3])
    expect(stream.frames[0]).toMatchObject({ event: 'open', id: from })
  })

  test('of too long a gap, or of another log, starts again', async () => {
    const from = await endOf()
    await manyEntries(STREAM_GAP_MAX + 1)
    const end = await endOf()
    for (const after of [from, end + 1]) {
      const stream = await open({ after })
      await expect
        .poll(() => stream.frames.map(({ event, id }) => [event, id]))
        .toEqual([
          ['open', end],
          ['reset', end],
        ])
    }
    const near = await open({ after: from + 1 })
    await expect.poll(() => near.entries().length).toBe(STREAM_GAP_MAX)
  })

  test('gets one reset for a burst', async () => {
    const stream = await open()
    await expect.poll(() => stream.frames.length).toBeGreaterThan(0)
    const from = await endOf()
    await manyEntries(3 * STREAM_GAP_MAX)
    await expect.poll(() => stream.frames.at(-1)).toMatchObject({ event: 'reset', id: from + 3 * STREAM_GAP_MAX })
    await change('after the burst')
    await expect.poll(() => stream.frames.at(-1)).toMatchObject({ event: 'entry', id: from + 3 * STREAM_GAP_MAX + 1 })
  })

  test('that does not expect a stream is refused', async () => {
    const answer = await ada.call({ method: 'GET', url: streamEvents.url })
    expect([answer.statusCode, answer.json().code]).toEqual([422, 'invalid'])
  })
})

describe('a stream ends', () => {
  const reasonOf = async ({ reading, frames }: Awaited<ReturnType<typeof open>>) => {
    expect(await reading).toBe('ended')
    return frames.at(-1)?.data.reason
  }
  const member = async (role: ConsoleRole = 'support') => {
    const person = await api.signIn(undefined, role)
    return { ...person, stream: await open({ token: person.token }) }
  }

  test('with a sign-out', async () => {
    const { stream, call } = await member()
    await call({ method: 'POST', url: `${url}/auth/logout` })
    expect(await reasonOf(stream)).toBe('session_ended')
  })

  test('when another admin ends the session, and the next one is refused', async () => {
    const { stream, admin, token } = await member()
    const other = await member()
    await ada.call({ method: 'DELETE', url: `${url}/team/${admin.id}/sessions` })
    expect(await reasonOf(stream)).toBe('session_ended')
    expect((await ask({ token })).status).toBe(401)
    expect(other.stream.frames.map(({ event }) => event)).not.toContain('end')
  })

  test('with a new password, in the other sessions', async () => {
    const { admin, stream } = await member()
    const elsewhere = (await api.login(admin.email)).json().access_token
    const body = { current_password: PASSWORD, new_password: 'seven sisters walk at dusk' }
    const answer = await api.call({
      method: updateProfile.method,
      url: updateProfile.url,
      headers: { authorization: `Bearer ${elsewhere}` },
      body,
    })
    expect(answer.statusCode).toBe(200)
    expect(await reasonOf(stream)).toBe('session_ended')
  })

  test('with a new role', async () => {
    const { admin, stream } = await member()
    await ada.call({ method: 'PATCH', url: `${url}/team/${admin.id}`, body: { role: 'auditor' } })
    expect(await reasonOf(stream)).toBe('role_changed')
  })

  test('with its service token', async () => {
    const { id, token } = await makeToken(api.db, { created_by_id: ada.admin.id, scopes: ['read'] })
    const stream = await open({ token })
    await ada.call({ method: 'DELETE', url: `${url}/tokens/${id}` })
    expect(await reasonOf(stream)).toBe('session_ended')
  })
})

test.for(['super_admin', 'support', 'auditor'] as const)('%s may follow the log, like Activity', async (role) => {
  const { token } = await api.signIn(undefined, role)
  expect((await ask({ token })).status).toBe(200)
})

test('one session has a limited number of streams, and a closed one makes room', async () => {
  const { token } = await api.signIn()
  for (let n = 0; n < STREAMS_PER_SESSION_MAX; n += 1) await open({ token })
  const refused = await ask({ token })
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '30'])
  leaving.at(-2)?.abort()
  await expect.poll(async () => (await ask({ token })).status).toBe(200)
})

test('streams that are opened at the same moment share the limit of their session', async () => {
  const streams = createStreams(api.deps, () => false)
  const identity = { id: randomUUID(), email: 'grace@example.com', address: null, request_id: null }
  const actor = {
    ...identity,
    session_id: randomUUID(),
    token_hash: Buffer.alloc(0),
    confirmed_at: null,
    admin: { ...ada.admin, role: 'super_admin' as const },
  }
  const opened = await Promise.allSettled(
    Array.from({ length: 3 * STREAMS_PER_SESSION_MAX }, () =>
      streams.open(actor, undefined, () => new PassThrough().resume()),
    ),
  )
  expect(opened.filter(({ status }) => status === 'fulfilled')).toHaveLength(STREAMS_PER_SESSION_MAX)
  expect(streams.size()).toBe(STREAMS_PER_SESSION_MAX)
  streams.stop()
})

test('a reader that stops reading is dropped with a reason, while others go on', async () => {
  const { hostname, port } = new URL(address)
  const socket = openSocket(Number(port), hostname)
  socket.write(
    `GET ${streamEvents.url} HTTP/1.1\r\nhost: x\r\naccept: text/event-stream\r\nauthorization: Bearer ${ada.token}\r\n\r\n`,
  )
  socket.pause()
  const stream = await open()
  const dropped = () => api.logLines.filter((line) => line.includes('read too slowly')).length
  for (let n = 0; dropped() === 0 && n < 60; n += 1) {
    await manyEntries(STREAM_GAP_MAX, 'x'.repeat(2_000))
    await expect.poll(() => stream.frames.length).toBeGreaterThanOrEqual(1 + (n + 1) * STREAM_GAP_MAX)
  }
  expect(dropped()).toBe(1)
  expect(await api.app.metrics.metrics()).toContain('live_streams_ended_total{reason="too_slow"} 1')
  await change('still read')
  await expect.poll(() => stream.entries().at(-1)?.action).toBe('tenants.update')
  socket.destroy()
})

test('without a stream nothing reads the log', async () => {
  await expect.poll(() => api.app.metrics.metrics()).toMatch(/^live_streams_open 0$/m)
})

test('a draining server ends its streams, so that their readers go elsewhere', async () => {
  const stream = await open()
  api.app.isDraining = true
  expect(await stream.reading).toBe('ended')
  expect(stream.frames.at(-1)).toMatchObject({ event: 'end', retry: '2000', data: { reason: 'stopping' } })
  api.app.isDraining = false
})
