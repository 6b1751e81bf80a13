import type { Readable } from 'node:stream'
import { streamEvents } from '@switchboard/contract/signals/stream'
import { disconnectOnlyWhenStalled } from '@switchboard/server/http/slow-clients'
import type { ZodApp } from '@switchboard/server/http/zod-app'
import { countInMetrics, measureOne } from '@switchboard/server/process/metrics'
import type { FastifyReply } from 'fastify'
import { actorOf } from '#src/auth/authenticate.service.ts'
import type { Deps } from '#src/deps.ts'
import { createStreams, HEARTBEAT_MS } from './stream.service.ts'

/** Proxies pass each event on at once: nginx buffers answers without this header, and some proxies compress them. */
const UNBUFFERED = { 'cache-control': 'no-store, no-transform', 'x-accel-buffering': 'no' }

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
      await sendEvents(reply, await streams.open(actorOf(request), after))
    },
  })
}

async function sendEvents(reply: FastifyReply, text: Readable): Promise<void> {
  disconnectOnlyWhenStalled(reply, 2 * HEARTBEAT_MS)
  await reply.type('text/event-stream; charset=utf-8').headers(UNBUFFERED).send(text)
}
