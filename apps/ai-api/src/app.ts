import { authorizeKey, authorizeRepeated, verifyKey } from '@switchboard/contract/api-keys/key-verification'
import { getTenantPrompt } from '@switchboard/contract/prompts/tenant-prompts'
import { createRenderer } from '@switchboard/prompts/renderer'
import { busyPathsOf } from '@switchboard/server/http/busy-paths'
import { createApp } from '@switchboard/server/http/app'
import { answerProblems } from '@switchboard/server/http/problems'
import { measureMachineClock } from '@switchboard/server/process/machine-clock'
import type { ZodApp } from '@switchboard/server/http/zod-app'
import { addSignInMetrics } from '@switchboard/sign-in/sign-in-metrics'
import { addKeyReportRoutes } from '#src/api-keys/reports/key-reports.routes.ts'
import { addApiKeyRoutes } from '#src/api-keys/api-keys.routes.ts'
import { createPromptReader } from '#src/prompts/prompts.service.ts'
import { addPromptRoutes } from '#src/prompts/prompts.routes.ts'
import { createKeyVerifier } from '#src/api-keys/key-verifier.service.ts'
import { addKeyMetrics } from '#src/api-keys/key-metrics.ts'
import { followChanges } from './changes.ts'
import type { Deps } from './deps.ts'
import { createTokenReader } from '#src/tokens/tokens.service.ts'
import { addUserRoutes } from '#src/users/users.routes.ts'
import { addWebhookRoutes } from '#src/tasks/runs/execute-task.routes.ts'

/** Description of the API in its document. */
const DESCRIPTION = `Checks of API keys, prompts and sign-ins of users, for the programs of the platform. In the console, super
admins create service tokens at Settings, Tokens, and the keys of tenants at API Keys.

Times are in UTC. Every error has a \`code\` for programs and a \`detail\` for people. A new version may add fields, codes and values
of enumerations, so a program ignores those that it does not know.`

/** Builds ai-api, the data plane for assistants and gateways, ready to listen. */
export async function buildAiApi(deps: Deps): Promise<ZodApp> {
  const { db, log, trustProxy, queue, webhookSecrets } = deps
  const changes = followChanges(deps)
  const verifier = createKeyVerifier(deps, changes)
  const credentials = { verifier, tokens: createTokenReader(deps) }
  const app = await createApp({
    title: 'Switchboard AI API',
    description: DESCRIPTION,
    db,
    log,
    trustProxy,
    busyPaths: busyPathsOf([verifyKey.url, authorizeKey.url, authorizeRepeated.url, getTenantPrompt.url]),
    wildcardPath: authorizeRepeated.url,
  })
  app.addHook('onClose', async () => {
    await changes.stop()
    await verifier.stop()
  })
  answerProblems(app)
  addApiKeyRoutes(app, credentials)
  addKeyReportRoutes(app, deps)
  addWebhookRoutes(app, { db, queue }, webhookSecrets)
  const renderer = createRenderer(log)
  app.addHook('onClose', () => renderer.stop())
  addPromptRoutes(app, deps, credentials, createPromptReader({ db, log, renderer }, changes))
  addUserRoutes(app, deps, credentials)
  addKeyMetrics(app.metrics, verifier)
  measureMachineClock(app.metrics, deps.now)
  addSignInMetrics(app.metrics, deps.signInFailures)
  return app
}
