import { randomBytes } from 'node:crypto'
import type { Endpoint } from '@switchboard/contract/wire/endpoint'

type Call = Pick<Endpoint, 'method' | 'url'>
type Request = {
  /** By default the API with this path. */
  server?: 'admin' | 'ai' | 'ops' | 'aiOps'
  params?: Record<string, string>
  search?: string
  token?: string
  headers?: Record<string, string>
  /** A string is sent unchanged, any other value as JSON. */
  body?: unknown
}

/** Calls both servers and their operators' ports, and keeps every secret and every answer. */
export function createSecretCaller(servers: Record<'admin' | 'ai' | 'ops' | 'aiOps', string>) {
  /** A description of each secret, by the secret. */
  const secrets = new Map<string, string>()
  /** All answers, without the secret that an answer returns on purpose. */
  const answers: { to: string; status: number; text: string }[] = []

  const send = async ({ method, url }: Call, request: Request) => {
    const { server = url.startsWith('/v1/') ? 'ai' : 'admin', params = {}, search = '', token, headers, body } = request
    const path = url.replace(/:(\w+)/g, (_, name: string) => params[name] ?? '')
    const answer = await fetch(`${servers[server]}${path}${search}`, {
      method,
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...headers,
      },
      body: body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body),
    })
    return { status: answer.status, head: JSON.stringify([...answer.headers]), text: await answer.text() }
  }

  /** Records a secret; a new one by default. */
  const secret = (what: string, value = `canary${randomBytes(15).toString('hex')}`): string => {
    secrets.set(value, what)
    return value
  }

  const call = async (endpoint: Call, request: Request = {}): Promise<void> => {
    const { status, head, text } = await send(endpoint, request)
    answers.push({ to: `${endpoint.method} ${endpoint.url}`, status, text: head + text })
  }

  /** For an answer that returns a secret: records the secret, and returns it with the id of the record. */
  const receive = async (
    what: string,
    name: 'access_token' | 'api_key' | 'token' | 'link',
    endpoint: Call,
    request: Request,
  ) => {
    const { status, head, text } = await send(endpoint, request)
    const body: unknown = JSON.parse(text)
    const given = secret(what, field(body, name))
    answers.push({ to: `${endpoint.method} ${endpoint.url}`, status, text: head + text.replace(given, '') })
    return { given, id: name === 'api_key' ? field(body, 'id') : '' }
  }

  return { secrets, answers, secret, call, receive }
}

export type SecretCaller = ReturnType<typeof createSecretCaller>

function field(body: unknown, name: string): string {
  const value: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, name) : undefined
  if (typeof value !== 'string') throw new Error(`The answer has no ${name}: ${JSON.stringify(body)}`)
  return value
}
