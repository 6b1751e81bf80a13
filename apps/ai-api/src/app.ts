import { authorizeKey, authorizeRepeated, verifyKey } from '@switchboard/contract/api-keys/key-verification'
import { createRenderer } from '@switchboard/prompts/renderer'
import { createApp } from '@switchboard/server/http/app'
import { measureMachineClock } from '@switchboard/server/process/machine-clock'
import type { ZodApp } from '@switchboard/server/http/zod-app'
import { addSignInMetrics } from '@switchboard/sign-in/sign-in-metrics'
import { addApiKeyRoutes } from '#src/api-keys/api-keys.routes.ts'
import { addPromptRoutes } from '#src/prompts/prompts.routes.ts'
import { createKeyVerifier } from '#src/api-keys/key-verifier.service.ts'
import { addKeyMetrics } from '#src/api-keys/key-metrics.ts'
import type { Deps } from './deps.ts'
import { createTokenReader } from '#src/tokens/tokens.service.ts'
import { addUserRoutes } from '#src/users/users.routes.ts'
import { addWebhookRoutes } from '#src/tasks/runs/execute-task.routes.ts'

/** Builds ai-api, the data plane for assistants and gateways, ready to listen. */
export async function buildAiApi(deps: Deps): Promise<ZodApp> {
  const { db, log, trustProxy, queue, webhookSecrets } = deps
  const verifier = createKeyVerifier(deps)
  const credentials = { verifier, tokens: createTokenReader(deps) }
  const app = await createApp({
    title: 'Switchboard AI API',
    db,
    log,
    trustProxy,
    busyPaths: new Set([verifyKey.url, authorizeKey.url, authorizeRepeated.url]),
    wildcardPath: authorizeRepeated.url,
  })
  app.addHook('onClose', () => verifier.stop())
  addApiKeyRoutes(app, credentials)
  addWebhookRoutes(app, { db, queue }, webhookSecrets)
  const renderer = createRenderer(log)
  app.addHook('onClose', () => renderer.stop())
  addPromptRoutes(app, { db, ...credentials, renderer })
  addUserRoutes(app, deps, credentials)
  addKeyMetrics(app.metrics, verifier)
  measureMachineClock(app.metrics, deps.now)
  addSignInMetrics(app.metrics, deps.signInFailures)
  return app
}
