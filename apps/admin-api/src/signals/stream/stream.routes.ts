import type { ServerResponse } from 'node:http'
import { streamEvents } from '@switchboard/contract/signals/stream'
import { disconnectOnlyWhenStalled } from '@switchboard/server/http/slow-clients'
import type { ZodApp } from '@switchboard/server/http/zod-app'
import { countInMetrics, measureOne } from '@switchboard/server/process/metrics'
import type { FastifyReply } from 'fastify'
import { actorOf } from '#src/auth/authenticate.service.ts'
import type { Deps } from '#src/deps.ts'
import { createStreams, HEARTBEAT_MS } from './stream.service.ts'

/** Proxies pass each event on at once: nginx buffers answers without this header, and some proxies compress them. */
const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no',
}

export function addStreamRoutes(app: ZodApp, deps: Deps): void {
  const streams = createStreams(deps, () => app.isDraining)
  app.addHook('preClose', async () => streams.stop())
  measureOne(app.metrics, { name: 'live_streams_open', help: 'Open streams of live screens' }, streams.size)
  countInMetrics(app.metrics, {
    name: 'live_streams_ended_total',
    help: 'Streams of live screens that the server ended; too_slow is a reader that did not keep up',
    labelNames: ['reason'],
    totals: streams.ended,
  })
  app.route({
    ...streamEvents,
    compress: false,
    // Nothing would read the stream of a HEAD request.
    exposeHeadRoute: false,
    handler: async (request, reply) => {
      // A browser that comes back sends the header with the address of its first call.
      const after = request.headers['last-event-id'] ?? request.query.after
      await streams.open(actorOf(request), after, () => beginAnswer(reply))
    },
  })
}

/** Takes the answer from Fastify, whose way to send a stream costs memory and time for each reader. */
function beginAnswer(reply: FastifyReply): ServerResponse {
  disconnectOnlyWhenStalled(reply, 2 * HEARTBEAT_MS)
  reply.hijack()
  for (const [name, value] of Object.entries(reply.headers(HEADERS).getHeaders()))
    if (value !== undefined) reply.raw.setHeader(name, value)
  return reply.raw
}
