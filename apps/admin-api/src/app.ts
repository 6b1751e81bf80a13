import { createApp } from '@switchboard/server/http/app'
import { answerProblems } from '@switchboard/server/http/problems'
import type { ZodApp } from '@switchboard/server/http/zod-app'
import { measureMachineClock } from '@switchboard/server/process/machine-clock'
import { addSignInMetrics } from '@switchboard/sign-in/sign-in-metrics'
import { addAccountRoutes } from '#src/auth/account/account.routes.ts'
import { addDashboardRoutes } from '#src/dashboard/dashboard.routes.ts'
import { addActivityRoutes } from '#src/activity/activity.routes.ts'
import { addApiKeyRoutes } from '#src/api-keys/api-keys.routes.ts'
import { addAuthRoutes } from '#src/auth/auth.routes.ts'
import { authenticateRequests } from '#src/auth/authenticate.service.ts'
import { authorizeRequests } from '#src/auth/sessions/roles.service.ts'
import { addConfirmationRoutes } from '#src/auth/confirmation/confirmation.routes.ts'
import { requireConfirmations } from '#src/auth/confirmation/confirmation.service.ts'
import { addConsoleFiles } from '#src/pages/console-files.routes.ts'
import { addInvitationRoutes } from '#src/team/invitations/invitations.routes.ts'
import { addLogSinkRoutes } from '#src/signals/log-sinks/log-sinks.routes.ts'
import { addListViewRoutes } from '#src/list-views/list-views.routes.ts'
import { addMailRoutes } from '#src/system/mail/mail.routes.ts'
import { addPasswordResetRoutes } from '#src/auth/password-resets/password-resets.routes.ts'
import { addEmailChangeRoutes } from '#src/auth/email-changes/email-changes.routes.ts'
import { addFigures } from '#src/system/metrics/figures.service.ts'
import { limitRates } from '#src/auth/sessions/rate-limits.ts'
import { hasSuperAdmin } from '#src/users/super-admins.queries.ts'
import type { Deps } from './deps.ts'
import { repeatAnswers } from '#src/requests/idempotency/idempotency.service.ts'
import { addPlaceRoutes } from '#src/places/places.routes.ts'
import { addPromptRoutes } from '#src/prompts/prompts.routes.ts'
import { addTenantNoteRoutes } from '#src/tenants/notes/tenant-notes.routes.ts'
import { auditRefusals } from '#src/requests/refusals/refusals.service.ts'
import { addPaletteRoutes } from '#src/palette/palette.routes.ts'
import { requireEnrollment } from '#src/auth/second-factors/enrollment.service.ts'
import { addSecondFactorRoutes } from '#src/auth/second-factors/second-factors.routes.ts'
import { addSecurityTxt } from '#src/pages/security-txt.routes.ts'
import { addReviewRoutes } from '#src/reviews/reviews.routes.ts'
import { addRunRoutes } from '#src/tasks/runs/runs.routes.ts'
import { addSignInRoutes } from '#src/auth/sign-ins/sign-ins.routes.ts'
import { addSingleSignOnRoutes } from '#src/auth/single-sign-on/single-sign-on.routes.ts'
import { addStreamRoutes } from '#src/signals/stream/stream.routes.ts'
import { addTeamRoutes } from '#src/team/team.routes.ts'
import { addEventRoutes } from '#src/signals/events/events.routes.ts'
import { addAlertRoutes } from '#src/signals/alerts/alerts.routes.ts'
import { addSystemRoutes } from '#src/system/system.routes.ts'
import { addTaskRoutes } from '#src/tasks/tasks.routes.ts'
import { addTenantRoutes } from '#src/tenants/tenants.routes.ts'
import { addTokenRoutes } from '#src/auth/tokens/tokens.routes.ts'
import { addWebhookRoutes } from '#src/signals/webhooks/webhooks.routes.ts'
import { addUserRoutes } from '#src/users/users.routes.ts'
import { watchProxies } from '#src/requests/untrusted-proxy/untrusted-proxy.service.ts'

/** Description of the API in its document. The specification of the product has fixed some paths. */
const DESCRIPTION = `The calls of the console, for people with a session and for programs with a service token. Super admins create
service tokens in the console, at Settings, Tokens.

Some paths have other names than their records:

| record | path |
|---|---|
| user | \`tenant-admins\` |
| member of the team | \`team\`; its account also at \`tenant-admins\` |
| entry of the audit log | \`audit\` |
| API keys of a tenant | \`GET api-keys/{id}\` with the id of the tenant |
| an API key | \`GET api-keys/{key_id}/record\`; its changes at \`api-keys/{id}\` |
| a new task | \`tasks/schedule\` |
| deletion of a task | \`tasks/{tenant_id}/schedule/{task_id}\` |
| look-up of a place | \`google/places/id/generate\` |
| numbers of the dashboard | \`analytics\` |

Times are in UTC. Lists without \`limit\` are streamed as a whole. Every error has a \`code\` for programs and a \`detail\` for
people. A new version may add fields, codes and values of enumerations, so a program ignores those that it does not know.`

/** Builds admin-api, ready to listen: the control plane under `/api/v1/admin` and the console's files. */
export async function buildAdminApi(deps: Deps): Promise<ZodApp> {
  const app = await createApp({
    title: 'Switchboard admin API',
    description: DESCRIPTION,
    db: deps.db,
    otherPools: { lists: deps.streamDb },
    log: deps.log,
    trustProxy: deps.trustProxy,
    publicUrl: deps.publicUrl,
    isSetUp: async () => await hasSuperAdmin(deps.db),
  })
  const untrustedProxy = watchProxies(app, deps)
  authenticateRequests(app, deps)
  limitRates(app, deps)
  authorizeRequests(app)
  requireConfirmations(app, deps)
  requireEnrollment(app)
  auditRefusals(app, deps)
  repeatAnswers(app, deps)
  answerProblems(app)
  addAuthRoutes(app, deps)
  addConfirmationRoutes(app, deps)
  addSingleSignOnRoutes(app, deps)
  addAccountRoutes(app, deps)
  addEmailChangeRoutes(app, deps)
  addSignInRoutes(app, deps)
  addSecondFactorRoutes(app, deps)
  addInvitationRoutes(app, deps)
  addPasswordResetRoutes(app, deps)
  addMailRoutes(app, deps)
  addDashboardRoutes(app, deps, untrustedProxy)
  addTenantRoutes(app, deps)
  addUserRoutes(app, deps)
  addTeamRoutes(app, deps)
  addApiKeyRoutes(app, deps)
  addTaskRoutes(app, deps)
  addRunRoutes(app, deps)
  addReviewRoutes(app, deps)
  addPlaceRoutes(app, deps)
  addPromptRoutes(app, deps)
  addTenantNoteRoutes(app, deps)
  addListViewRoutes(app, deps)
  addActivityRoutes(app, deps)
  addEventRoutes(app, deps)
  addStreamRoutes(app, deps)
  addLogSinkRoutes(app, deps)
  addSystemRoutes(app, deps)
  addAlertRoutes(app, deps)
  addTokenRoutes(app, deps)
  addWebhookRoutes(app, deps)
  addPaletteRoutes(app, deps)
  addSecurityTxt(app, deps)
  addFigures(app.metrics, deps)
  measureMachineClock(app.metrics, deps.now)
  addSignInMetrics(app.metrics, deps.signInFailures)
  app.addHook('onClose', () => deps.renderer.stop())
  if (deps.consoleFolder !== null) await addConsoleFiles(app, deps.consoleFolder, deps.consoleSettings)
  return app
}
