import { setTimeout as sleep } from 'node:timers/promises'
import { KEY_REFUSED, verifyKey } from '@switchboard/contract/api-keys/key-verification'
import { createTenant, tenant } from '@switchboard/contract/tenants'
import { IDEMPOTENCY_KEY_HEADER } from '@switchboard/contract/wire/idempotency'

// Calls of servers while they change their release: checks of keys, creations of tenants, and loads of the page.

const CLIENTS = 4
const PAUSE_MS = 5

export type Target = {
  /** The addresses of the balancer. */
  admin: string
  ai: string
  /** Sessions: each may change a limited number of records a minute. */
  tokens: string[]
  good: { api_key: string; tenant_id: string }
  revoked: { api_key: string }
}

/** Starts the clients. `stop` returns the number of requests, the ids of the acknowledged tenants, and every wrong answer. */
export function startUpgradeLoad(target: Target) {
  const done = new AbortController()
  const lost: string[] = []
  const found = { requests: 0, created: new Set<string>(), lost }

  async function ask(url: string, init?: RequestInit): Promise<{ status: number; text: string }> {
    found.requests += 1
    try {
      const answer = await fetch(url, init)
      return { status: answer.status, text: await answer.text() }
    } catch (error) {
      return { status: 0, text: String(error) }
    }
  }
  const post = async (url: string, body: object, headers: Record<string, string> = {}) =>
    await ask(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
  function expectAnswer(what: string, isRight: boolean, { status, text }: { status: number; text: string }): void {
    if (!isRight) lost.push(`${what}: ${status} ${text.slice(0, 200)}`)
  }

  async function checkKeys(): Promise<void> {
    const good = await post(`${target.ai}${verifyKey.url}`, { api_key: target.good.api_key })
    expectAnswer('good key', good.status === 200 && good.text.includes(target.good.tenant_id), good)
    const revoked = await post(`${target.ai}${verifyKey.url}`, { api_key: target.revoked.api_key })
    expectAnswer('revoked key', revoked.status === 401 && revoked.text.includes(KEY_REFUSED), revoked)
  }

  /** The repetition must get the answer to the first creation, even from a server of the other release. */
  async function createTwice(n: number): Promise<void> {
    const id = crypto.randomUUID()
    const headers = {
      authorization: `Bearer ${target.tokens[n % target.tokens.length]}`,
      [IDEMPOTENCY_KEY_HEADER]: id,
    }
    const body = { name: `Tenant ${id}`, subdomain: `t-${id}`, tenant_type: 'product' }
    const answers = [
      await post(`${target.admin}${createTenant.url}`, body, headers),
      await post(`${target.admin}${createTenant.url}`, body, headers),
    ]
    for (const answer of answers) {
      expectAnswer('new tenant', answer.status === 201, answer)
      if (answer.status === 201) found.created.add(tenant.parse(JSON.parse(answer.text)).id)
    }
  }

  /** Loads the page and its files, as a browser does. The balancer may send each request to another release. */
  async function loadPage(): Promise<void> {
    const page = await ask(`${target.admin}/`)
    const files = [...page.text.matchAll(/(?:src|href)="(\/[^"]+\.(?:js|css|svg))"/g)].map(([, file]) => file ?? '')
    expectAnswer('page', page.status === 200 && files.some((file) => file.startsWith('/assets/')), page)
    for (const file of files) {
      const answer = await ask(`${target.admin}${file}`)
      expectAnswer(`page with ${file}`, answer.status === 200 && answer.text !== '', answer)
    }
  }

  async function runClient(client: number): Promise<void> {
    for (let n = client; !done.signal.aborted; n += CLIENTS) {
      await checkKeys()
      if (n % 3 === 0) await createTwice(n)
      if (n % 10 === 0) await loadPage()
      await sleep(PAUSE_MS)
    }
  }
  const clients = Array.from({ length: CLIENTS }, (_, client) => runClient(client))

  return {
    async stop() {
      done.abort()
      await Promise.all(clients)
      return found
    },
  }
}
