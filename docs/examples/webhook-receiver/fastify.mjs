import Fastify from 'fastify'
import { Webhook } from 'standardwebhooks'

// Receives events with Fastify. The signature is of the bytes of the body, so the body must not be parsed before.

const { SWITCHBOARD_WEBHOOK_SECRET = '', PORT = '8083' } = process.env
const webhook = new Webhook(SWITCHBOARD_WEBHOOK_SECRET)
/** Ids of the events that were handled. Keep yours in a database: an event can arrive twice. */
const handled = new Set()

const app = Fastify()
app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
app.post('/events', (request, reply) => {
  let event
  try {
    event = webhook.verify(request.body, request.headers)
  } catch {
    return reply.code(400).send()
  }
  if (!handled.has(event.id)) {
    console.log(`${event.type}: ${event.target.name}`)
    handled.add(event.id)
  }
  reply.code(204).send()
})
console.log(`Ready: ${await app.listen({ port: Number(PORT), host: '127.0.0.1' })}/events`)
