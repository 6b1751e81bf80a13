import { authorizeKey, authorizeRepeated, verifyKey } from '@switchboard/contract/api-keys/key-verification'
import type { Database } from '@switchboard/database/tables'
import type { RunQueue } from '@switchboard/jobs/run-queue'
import { createRenderer } from '@switchboard/prompts/renderer'
import { createApp } from '@switchboard/server/http/app'
import type { Log } from '@switchboard/server/process/log'
import { countInMetrics } from '@switchboard/server/process/metrics'
import type { ZodApp } from '@switchboard/server/http/zod-app'
import type { Kysely } from 'kysely'
import { addApiKeyRoutes } from '#src/api-keys/api-keys.routes.ts'
import { addPromptRoutes } from '#src/prompts/prompts.routes.ts'
import { createKeyVerifier } from '#src/api-keys/api-keys.service.ts'
import { addWebhookRoutes } from '#src/runs/webhooks.routes.ts'

/** Dependencies of ai-api. */
export type Deps = {
  db: Kysely<Database>
  /** Database URL without a pooler, for the connection that listens for changes. */
  directUrl: string
  log: Log
  /** Receives the runs that admins start. */
  queue: Pick<RunQueue, 'enqueue'>
  /** Accepted secrets for signatures of admin-api. */
  webhookSecrets: readonly string[]
  /** Proxies whose `X-Forwarded-*` headers are trusted. */
  trustProxy: false | string[]
}

/** Builds ai-api, the data plane for assistants and gateways, ready to listen. */
export async function buildAiApi(deps: Deps): Promise<ZodApp> {
  const { db, directUrl, log, trustProxy, queue, webhookSecrets } = deps
  const app = await createApp({
    title: 'Switchboard AI API',
    db,
    log,
    trustProxy,
    busyPaths: new Set([verifyKey.url, authorizeKey.url, authorizeRepeated.url]),
    wildcardPath: authorizeRepeated.url,
  })
  const verifier = createKeyVerifier({ db, directUrl, log })
  app.addHook('onClose', () => verifier.stop())
  addApiKeyRoutes(app, verifier)
  addWebhookRoutes(app, { db, queue }, webhookSecrets)
  const renderer = createRenderer()
  app.addHook('onClose', () => renderer.stop())
  addPromptRoutes(app, { db, verifier, renderer })
  countInMetrics(app.metrics, 'api_key_checks_total', 'Checks of API keys by outcome', 'outcome', verifier.totals)
  return app
}
