import { createRuntime, refusalResponse } from '@switchboard/client/runtime'

// The runtime at the edge: a worker with the Fetch API, as Cloudflare, Deno and Bun run it. Checks the key of a message, and
// passes the message on to a model with the prompt of the key's tenant.

const CORS = {
  'access-control-allow-origin': '*',
  'access-control-allow-headers': 'authorization, content-type, x-api-key',
  'access-control-allow-methods': 'POST',
}
/** One for all requests, because it holds the caches. */
let switchboard

async function answerTo(request, env, ctx) {
  switchboard ??= createRuntime({
    url: env.AI_API_URL,
    token: env.SWITCHBOARD_TOKEN,
    // Spares a call to another continent. A deactivated key works five seconds longer here.
    keys: { cacheSeconds: 5, staleIfErrorSeconds: 300 },
  })
  const verdict = await switchboard.verifyRequest(request)
  if (!verdict.allowed) return refusalResponse(verdict)
  const { tenant_id } = verdict.key
  const prompt = await switchboard.prompt({ tenant_id, waitUntil: (work) => ctx.waitUntil(work) })
  const { message } = await request.json()
  return await fetch(`${env.MODEL_URL}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${env.MODEL_KEY}` },
    body: JSON.stringify({
      model: env.MODEL,
      messages: [
        { role: 'system', content: prompt.rendered_content },
        { role: 'user', content: message },
      ],
    }),
  })
}

export default {
  async fetch(request, env, ctx) {
    if (request.method === 'OPTIONS') return new Response(null, { status: 204, headers: CORS })
    const { status, headers, body } = await answerTo(request, env, ctx)
    const answer = new Response(body, { status, headers })
    for (const [name, value] of Object.entries(CORS)) answer.headers.set(name, value)
    return answer
  },
}
