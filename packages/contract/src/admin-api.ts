import * as analytics from './dashboard.ts'
import * as apiKeys from './api-keys.ts'
import * as audit from './activity.ts'
import * as auth from './auth.ts'
import type { Endpoint } from '#src/wire/endpoint.ts'
import { healthz, readyz, securityTxt } from '#src/wire/health.ts'
import { checkPassword } from '#src/auth/passwords.ts'
import { generatePlaceId } from './places.ts'
import * as profile from './account.ts'
import { listReviewPhotos, listTaskReviews } from './reviews.ts'
import { listTaskRuns, runTask } from './runs.ts'
import * as tasks from './tasks.ts'
import * as prompts from './prompts.ts'
import { search } from './palette.ts'
import { bulkUsers, createUser, deleteUser, exportUsers, listUsers, selectUsers, toggleUser } from './users.ts'
import {
  bulkTenants,
  createTenant,
  deleteTenant,
  exportTenants,
  listTenants,
  selectTenants,
  updateTenant,
} from './tenants.ts'

/** @internal Every endpoint of admin-api, except the files of the console, for the law tests. */
export const ADMIN_API_ENDPOINTS: readonly Endpoint[] = [
  healthz,
  readyz,
  securityTxt,
  auth.login,
  auth.me,
  auth.logout,
  profile.updateProfile,
  profile.listSessions,
  profile.endSession,
  profile.endOtherSessions,
  checkPassword,
  analytics.getUserAnalytics,
  analytics.getTenantAnalytics,
  analytics.getAttention,
  listTenants,
  exportTenants,
  selectTenants,
  bulkTenants,
  createTenant,
  updateTenant,
  deleteTenant,
  listUsers,
  exportUsers,
  selectUsers,
  bulkUsers,
  createUser,
  toggleUser,
  deleteUser,
  apiKeys.listApiKeys,
  apiKeys.exportApiKeys,
  apiKeys.selectApiKeys,
  apiKeys.bulkApiKeys,
  apiKeys.createApiKey,
  apiKeys.deleteApiKey,
  apiKeys.toggleApiKey,
  apiKeys.rotateApiKey,
  apiKeys.endGrace,
  apiKeys.extendGrace,
  apiKeys.getApiKeyUsage,
  tasks.listTasks,
  tasks.exportTasks,
  tasks.selectTasks,
  tasks.bulkTasks,
  tasks.getTask,
  tasks.createTask,
  tasks.updateTask,
  tasks.deleteTask,
  runTask,
  listTaskRuns,
  listTaskReviews,
  listReviewPhotos,
  generatePlaceId,
  prompts.listPromptTemplates,
  prompts.listPromptTypes,
  prompts.savePromptTemplate,
  prompts.previewPrompt,
  prompts.listPromptVersions,
  prompts.getPromptVersion,
  prompts.restorePromptVersion,
  prompts.getPromptReach,
  audit.listAudit,
  audit.exportAudit,
  audit.getAuditRecord,
  audit.checkAuditChain,
  search,
]
