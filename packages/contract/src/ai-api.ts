import type { Endpoint } from '#src/wire/endpoint.ts'
import { healthz, readyz } from '#src/wire/health.ts'
import { authorizeKey, authorizeRepeated, verifyKey } from '#src/api-keys/key-verification.ts'
import { reportKeys } from '#src/api-keys/key-reports.ts'
import { executeTask } from './runs.ts'
import { acceptUserInvitation, changeUserPassword, verifyUser } from '#src/users/user-verification.ts'
import { getTenantPrompt, renderTenantPrompt } from '#src/prompts/tenant-prompts.ts'

/** @internal Every endpoint of ai-api, for the law tests. */
export const AI_API_ENDPOINTS: readonly Endpoint[] = [
  healthz,
  readyz,
  verifyKey,
  authorizeKey,
  authorizeRepeated,
  reportKeys,
  executeTask,
  getTenantPrompt,
  renderTenantPrompt,
  verifyUser,
  changeUserPassword,
  acceptUserInvitation,
]
