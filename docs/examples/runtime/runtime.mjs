import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'
import { createRuntime, expressApiKey, keyOf } from '@switchboard/client/runtime'

// The runtime of all tenants' assistants: checks the key of a message, reads the prompt of its tenant, and asks a model.

const { AI_API_URL = 'http://127.0.0.1:3001', SWITCHBOARD_TOKEN = '', PORT = '8080' } = process.env
/** A server with the chat completions of OpenAI. The default is the stand-in of this folder, which is no model. */
const { MODEL_URL = 'http://127.0.0.1:8090', MODEL_KEY = '', MODEL = 'stand-in' } = process.env
/** For a tenant whose prompt was not read before ai-api was lost. */
const FALLBACK = 'You are a friendly assistant. Say that you can only answer general questions at the moment.'

const switchboard = createRuntime({
  url: AI_API_URL,
  token: SWITCHBOARD_TOKEN,
  // Keys that were in use stay accepted for five minutes while the database is away.
  keys: { staleIfErrorSeconds: 300 },
})
const checkKey = expressApiKey(switchboard)

async function answerTo(request) {
  const { tenant_id } = keyOf(request)
  const { rendered_content } = await switchboard.prompt({ tenant_id, fallback: FALLBACK })
  const { message } = await json(request)
  return { reply: await askModel(rendered_content, message) }
}

async function askModel(system, message) {
  const answer = await fetch(`${MODEL_URL}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${MODEL_KEY}` },
    body: JSON.stringify({
      model: MODEL,
      messages: [
        { role: 'system', content: system },
        { role: 'user', content: message },
      ],
    }),
    signal: AbortSignal.timeout(60_000),
  })
  if (!answer.ok) throw new Error(`The model answered ${answer.status}.`)
  const { choices } = await answer.json()
  return choices[0].message.content
}

async function respond(request, response) {
  const [status, body] = await answerTo(request).then(
    (answer) => [200, answer],
    (error) => {
      console.error(error)
      return [502, { detail: 'The assistant cannot answer at the moment.' }]
    },
  )
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

const server = createServer((request, response) => {
  void checkKey(request, response, () => respond(request, response))
})
server.listen(Number(PORT), '127.0.0.1', () => console.log(`Ready: http://127.0.0.1:${server.address().port}`))
