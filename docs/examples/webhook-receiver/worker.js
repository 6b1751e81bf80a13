import { Webhook } from 'standardwebhooks'

// Receives events at the edge: a worker with the Fetch API, as Cloudflare, Deno and Bun run it.

export default {
  async fetch(request, env, ctx) {
    if (request.method !== 'POST') return new Response(null, { status: 405 })
    let event
    try {
      event = new Webhook(env.SWITCHBOARD_WEBHOOK_SECRET).verify(
        await request.text(),
        Object.fromEntries(request.headers),
      )
    } catch {
      return new Response(null, { status: 400 })
    }
    // The answer does not wait for the work. `env.EVENTS` is a queue of yours, which keeps each event once by its id.
    ctx.waitUntil(env.EVENTS.send(event))
    return new Response(null, { status: 204 })
  },
}
