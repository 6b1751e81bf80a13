import { checkLinkPassword, checkPassword } from '#src/auth/passwords.ts'
import type { Endpoint } from '#src/wire/endpoint.ts'
import { healthz, readyz, securityTxt } from '#src/wire/health.ts'
import * as account from './account.ts'
import * as activity from './activity.ts'
import * as apiKeys from './api-keys.ts'
import { getApiKeyDiagnosis } from '#src/api-keys/key-diagnosis.ts'
import { apiKeyList } from '#src/api-keys/key-list.ts'
import { getTenantCalls } from '#src/api-keys/tenant-calls.ts'
import { summarizeTenantKeys } from '#src/api-keys/tenant-key-summaries.ts'
import * as auth from './auth.ts'
import { beginConfirmation, checkConfirmation, confirm } from './auth/confirmation.ts'
import { logout, me } from './auth/session.ts'
import * as signIns from './auth/sign-ins.ts'
import * as dashboard from './dashboard.ts'
import * as emailChanges from './email-changes.ts'
import * as invitations from './invitations.ts'
import * as listViews from './list-views.ts'
import { sendTestMail } from './mail.ts'
import { readRecords, search } from './palette.ts'
import { forgotPassword, resetPassword } from './password-resets.ts'
import { generatePlaceId } from './places.ts'
import * as prompts from './prompts.ts'
import { listReviewPhotos, listTaskReviews } from './reviews.ts'
import { listTaskRuns, runTask } from './runs.ts'
import { listPhotosByReview, reviewList } from './reviews/review-list.ts'
import { getRatingHistory } from './reviews/rating-history.ts'
import { runList } from './runs/run-list.ts'
import { streamEvents } from '#src/signals/stream.ts'
import * as secondFactors from './second-factors.ts'
import { listEvents } from './signals/events.ts'
import * as logSinks from './signals/log-sinks.ts'
import * as singleSignOn from './single-sign-on.ts'
import * as webhooks from './signals/webhooks.ts'
import * as alertRules from './signals/alert-rules.ts'
import * as alerts from './signals/alerts.ts'
import * as webhookDeliveries from './signals/webhook-deliveries.ts'
import * as system from './system.ts'
import * as tasks from './tasks.ts'
import * as team from './team.ts'
import * as tenants from './tenants.ts'
import { getTenantHealth } from './tenants/tenant-health.ts'
import * as tenantNotes from './tenants/tenant-notes.ts'
import { importTenants } from './tenants/tenant-import.ts'
import * as tokens from './tokens.ts'
import * as users from './users.ts'
import { portalSignInList } from './users/portal-sign-ins.ts'
import { importUsers } from './users/user-import.ts'

/** @internal Every endpoint of admin-api, except the files of the console, for the law tests. */
export const ADMIN_API_ENDPOINTS: readonly Endpoint[] = [
  healthz,
  readyz,
  securityTxt,
  auth.login,
  auth.answerChallenge,
  auth.beginPasskeySignIn,
  me,
  logout,
  checkConfirmation,
  beginConfirmation,
  confirm,
  signIns.listSignIns,
  signIns.listNewSignIns,
  signIns.dismissNewSignIn,
  singleSignOn.startSingleSignOn,
  singleSignOn.finishSingleSignOn,
  singleSignOn.openSingleSignOn,
  singleSignOn.backChannelLogout,
  account.updateProfile,
  emailChanges.getEmailChange,
  emailChanges.resendEmailChange,
  emailChanges.cancelEmailChange,
  emailChanges.readEmailChange,
  emailChanges.confirmEmailChange,
  account.listSessions,
  account.endSession,
  account.endOtherSessions,
  checkPassword,
  checkLinkPassword,
  secondFactors.listSecondFactors,
  secondFactors.beginTotp,
  secondFactors.addTotp,
  secondFactors.beginPasskey,
  secondFactors.addPasskey,
  secondFactors.deleteSecondFactor,
  secondFactors.renewRecoveryCodes,
  secondFactors.resetSecondFactor,
  secondFactors.getSecuritySettings,
  secondFactors.updateSecuritySettings,
  invitations.listInvitations,
  invitations.createInvitation,
  invitations.resendInvitation,
  invitations.withdrawInvitation,
  invitations.readInvitation,
  invitations.acceptInvitation,
  forgotPassword,
  resetPassword,
  sendTestMail,
  dashboard.getUserAnalytics,
  dashboard.getTenantAnalytics,
  dashboard.getAttention,
  dashboard.getTrends,
  dashboard.getFirstSteps,
  ...endpointsOf(tenants.tenantList),
  tenants.listTenantTags,
  tenants.getTenant,
  getTenantHealth,
  tenants.createTenant,
  importTenants,
  tenants.updateTenant,
  tenants.previewTenantStatus,
  tenants.deleteTenant,
  tenants.restoreTenant,
  tenants.purgeTenant,
  tenantNotes.listTenantNotes,
  tenantNotes.createTenantNote,
  tenantNotes.updateTenantNote,
  tenantNotes.deleteTenantNote,
  listViews.listListViews,
  listViews.createListView,
  listViews.updateListView,
  listViews.deleteListView,
  ...endpointsOf(users.userList),
  users.getUser,
  users.createUser,
  importUsers,
  users.updateUser,
  users.inviteUser,
  users.setUserPassword,
  users.toggleUser,
  users.deleteUser,
  users.restoreUser,
  portalSignInList.list,
  team.listTeam,
  team.updateMember,
  team.removeMember,
  team.listMemberSessions,
  team.endMemberSession,
  team.endMemberSessions,
  apiKeys.listApiKeys,
  ...endpointsOf(apiKeyList),
  apiKeys.getApiKey,
  apiKeys.createApiKey,
  apiKeys.updateApiKey,
  apiKeys.deleteApiKey,
  apiKeys.restoreApiKey,
  apiKeys.toggleApiKey,
  apiKeys.rotateApiKey,
  apiKeys.endGrace,
  apiKeys.extendGrace,
  getApiKeyDiagnosis,
  getTenantCalls,
  summarizeTenantKeys,
  ...endpointsOf(tasks.taskList),
  tasks.getTask,
  tasks.createTask,
  tasks.updateTask,
  tasks.deleteTask,
  tasks.restoreTask,
  ...endpointsOf(runList),
  runTask,
  listTaskRuns,
  listTaskReviews,
  listReviewPhotos,
  reviewList.list,
  listPhotosByReview,
  getRatingHistory,
  generatePlaceId,
  prompts.listPromptTemplates,
  prompts.listPromptTypes,
  prompts.savePromptTemplate,
  prompts.previewPrompt,
  prompts.listPromptVersions,
  prompts.getPromptVersion,
  prompts.restorePromptVersion,
  prompts.getPromptReach,
  ...endpointsOf(activity.activityList),
  activity.getAuditRecord,
  activity.checkAuditChain,
  listEvents,
  streamEvents,
  logSinks.getLogShipping,
  logSinks.createLogSink,
  logSinks.updateLogSink,
  logSinks.testLogSink,
  logSinks.deleteLogSink,
  system.getSystemReport,
  system.checkCounters,
  system.backUp,
  alerts.listAlerts,
  alerts.readAlerts,
  alertRules.listAlertRules,
  alertRules.updateAlertRule,
  alertRules.updateAlertSettings,
  tokens.listTokens,
  tokens.createToken,
  tokens.revokeToken,
  webhooks.listWebhooks,
  webhooks.createWebhook,
  webhooks.updateWebhook,
  webhooks.rotateWebhookSecret,
  webhooks.deleteWebhook,
  webhookDeliveries.webhookDeliveryList.list,
  webhookDeliveries.getWebhookDelivery,
  webhookDeliveries.replayWebhookDelivery,
  webhookDeliveries.replayWebhook,
  webhookDeliveries.testWebhook,
  search,
  readRecords,
]

function endpointsOf(list: Partial<Record<'list' | 'export' | 'ids' | 'bulk', Endpoint>>): Endpoint[] {
  return [list.list, list.export, list.ids, list.bulk].filter((endpoint) => endpoint !== undefined)
}
