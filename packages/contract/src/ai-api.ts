import type { Endpoint } from './endpoint.ts'
import { healthz, readyz } from './health.ts'
import { authorizeKey, authorizeRepeated, verifyKey } from './key-verification.ts'
import { executeTask } from './task-runs.ts'
import { getTenantPrompt } from './tenant-prompts.ts'

/** Every call of ai-api. */
export const AI_API_ENDPOINTS: readonly Endpoint[] = [
  healthz,
  readyz,
  verifyKey,
  authorizeKey,
  authorizeRepeated,
  executeTask,
  getTenantPrompt,
]
