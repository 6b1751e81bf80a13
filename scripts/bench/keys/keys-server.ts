import { connect } from '@switchboard/database/connection/connect'
import { createLogger } from '@switchboard/server/process/log'
import Fastify, { type FastifyInstance } from 'fastify'
import { buildAiApi } from '#apps/ai-api/src/app.ts'
import { testDeps } from '#apps/ai-api/src/testing/test-deps.ts'

// A server of the key bench, in its own process like ai-api: other code in the process would share the optimizer and
// the memory. Prints its port and runs until its parent ends.

export type KeysServer = 'bare' | 'known' | 'uncached'

export const VERIFY_PATH = '/v1/keys/verify'

async function build(kind: KeysServer, databaseUrl: string): Promise<Pick<FastifyInstance, 'listen'>> {
  if (kind === 'bare') {
    const bare = Fastify()
    const answer = {
      tenant_id: crypto.randomUUID(),
      api_key_id: crypto.randomUUID(),
      environment: 'live',
      grace_ends_at: null,
    }
    bare.post(VERIFY_PATH, async () => answer)
    return bare
  }
  const log = createLogger('info', { write: () => undefined })
  // A server without a listening connection does not trust its cache.
  const directUrl = kind === 'uncached' ? 'postgresql://127.0.0.1:1/none' : databaseUrl
  return await buildAiApi(testDeps({ db: connect(databaseUrl), directUrl, log }))
}

if (import.meta.main) {
  process.once('disconnect', () => process.exit(0))
  process.once('message', ({ kind, databaseUrl }: { kind: KeysServer; databaseUrl: string }) => {
    void build(kind, databaseUrl)
      .then((app) => app.listen({ port: 0, host: '127.0.0.1' }))
      .then((address) => process.send?.(Number(new URL(address).port)))
  })
}
