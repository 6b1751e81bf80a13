import { fork } from 'node:child_process'
import { connect } from '@switchboard/database/connection/connect'
import { createLogger } from '@switchboard/server/process/log'
import Fastify, { type FastifyInstance } from 'fastify'
import { buildAiApi } from '#apps/ai-api/src/app.ts'
import { testDeps } from '#apps/ai-api/src/testing/test-deps.ts'

// An ai-api under load, or a bare Fastify server with the same answers, in its own process like ai-api: other code in
// the process would share the optimizer and the memory. Sends its port and runs until its parent ends.

/** `known` trusts its caches, `uncached` does not. */
export type ServerKind = 'bare' | 'known' | 'uncached'

export const VERIFY_PATH = '/v1/keys/verify'
export const PROMPT_PATH = '/v1/prompts/general'

const CHECK = {
  tenant_id: crypto.randomUUID(),
  api_key_id: crypto.randomUUID(),
  environment: 'live',
  grace_ends_at: null,
}

/** Starts a server over a migrated database. `prompt` is the answer of the bare route for prompts. */
export async function startServer(kind: ServerKind, databaseUrl: string, prompt: unknown = null) {
  const child = fork(new URL(import.meta.url))
  child.send({ kind, databaseUrl, prompt })
  const port = await new Promise<number>((resolve, reject) => {
    child.once('message', resolve)
    child.once('exit', (code) => reject(new Error(`The server (${kind}) ended with ${code}.`)))
  })
  return { child, port }
}

type Start = { kind: ServerKind; databaseUrl: string; prompt: unknown }

async function build({ kind, databaseUrl, prompt }: Start): Promise<Pick<FastifyInstance, 'listen'>> {
  if (kind === 'bare') {
    const bare = Fastify()
    bare.post(VERIFY_PATH, async () => CHECK)
    bare.get(PROMPT_PATH, async () => prompt)
    return bare
  }
  const log = createLogger('info', { write: () => undefined })
  // A server without a listening connection does not trust its cache.
  const directUrl = kind === 'uncached' ? 'postgresql://127.0.0.1:1/none' : databaseUrl
  return await buildAiApi(testDeps({ db: connect(databaseUrl), directUrl, log }))
}

if (import.meta.main) {
  process.once('disconnect', () => process.exit(0))
  process.once('message', (start: Start) => {
    void build(start)
      .then((app) => app.listen({ port: 0, host: '127.0.0.1' }))
      .then((address) => process.send?.(Number(new URL(address).port)))
  })
}
