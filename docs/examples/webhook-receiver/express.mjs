import express from 'express'
import { Webhook } from 'standardwebhooks'

// Receives events with Express. The signature is of the bytes of the body, so the body must not be parsed before.

const { SWITCHBOARD_WEBHOOK_SECRET = '', PORT = '8083' } = process.env
const webhook = new Webhook(SWITCHBOARD_WEBHOOK_SECRET)
/** Ids of the events that were handled. Keep yours in a database: an event can arrive twice. */
const handled = new Set()

const app = express()
app.post('/events', express.raw({ type: 'application/json', limit: '1mb' }), (request, response) => {
  let event
  try {
    event = webhook.verify(request.body, request.headers)
  } catch {
    return response.sendStatus(400)
  }
  if (!handled.has(event.id)) {
    console.log(`${event.type}: ${event.target.name}`)
    handled.add(event.id)
  }
  response.sendStatus(204)
})
const server = app.listen(Number(PORT), '127.0.0.1', () =>
  console.log(`Ready: http://127.0.0.1:${server.address().port}/events`),
)
