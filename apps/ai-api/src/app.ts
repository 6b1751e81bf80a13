import { authorizeKey, authorizeRepeated, verifyKey } from '@switchboard/contract/api-keys/key-verification'
import type { Database } from '@switchboard/database/tables'
import { createRenderer } from '@switchboard/prompts/renderer'
import { createApp } from '@switchboard/server/http/app'
import type { Log } from '@switchboard/server/process/log'
import { countInMetrics } from '@switchboard/server/process/metrics'
import type { ZodApp } from '@switchboard/server/http/zod-app'
import type { Kysely } from 'kysely'
import { addKeyRoutes } from '#src/api-keys/api-keys.routes.ts'
import { addPromptRoutes } from '#src/prompts/prompts.routes.ts'
import { createKeyVerifier } from '#src/api-keys/api-keys.service.ts'
import { addWebhookRoutes } from '#src/tasks/webhooks.routes.ts'
import type { Worker } from '#src/tasks/worker.ts'

/** All that ai-api needs from outside. */
export type Deps = {
  db: Kysely<Database>
  /** Database URL without a pooler, for the connection that listens for changes. */
  directUrl: string
  log: Log
  /** Runs the tasks; started and stopped by the caller. */
  worker: Pick<Worker, 'deps' | 'totals'>
  /** The secrets that admin-api may send. */
  webhookSecrets: readonly string[]
  /** Whose `X-Forwarded-*` headers are believed. */
  trustProxy: false | string[]
}

/** Builds ai-api, ready to listen: the data plane, which assistants and gateways call. */
export async function buildAiApi(deps: Deps): Promise<ZodApp> {
  const { db, directUrl, log, trustProxy, worker, webhookSecrets } = deps
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
  addKeyRoutes(app, verifier)
  addWebhookRoutes(app, worker.deps, webhookSecrets)
  countInMetrics(app, 'task_runs_total', 'Runs of tasks by outcome', 'outcome', worker.totals)
  const renderer = createRenderer()
  app.addHook('onClose', () => renderer.stop())
  addPromptRoutes(app, { db, verifier, renderer })
  countInMetrics(app, 'api_key_checks_total', 'Checks of API keys by outcome', 'outcome', verifier.totals)
  return app
}
