import { createAiApi } from './ai-api-client.ts'
import { createKeyChecks, type KeyCaching } from './key-checks.ts'
import { createPrompts, type PromptCaching } from './prompts.ts'
import { createUsers } from './users.ts'

export { SwitchboardError } from './errors.ts'
export { type KeyVerdict, refusalResponse, type VerifiedKey } from './key-checks.ts'
export { expressApiKey, fastifyApiKey, honoApiKey, keyOf } from './middleware.ts'
export type { Prompt, PromptRequest } from './prompts.ts'
export type { Credentials, InvitationAnswer, PasswordChange, User, UserVerdict } from './users.ts'

const LOG_INTERVAL_MS = 1_000

export type Runtime = ReturnType<typeof createRuntime>

export type RuntimeOptions = {
  /** The address of ai-api. */
  url: string
  /** What the runtime signs in with, as `Authorization: Bearer`. */
  token: string
  /** The time for the answer to a key check or a prompt, 3 seconds by default. */
  timeoutMs?: number
  keys?: KeyCaching
  prompts?: PromptCaching
  /** Gets each failure after which the client answers from a cache, with a fallback or with 503. By default one per second is logged. */
  onError?: (error: unknown) => void
}

/** A client of ai-api for programs that answer the users of tenants: key checks, prompts and sign-ins. */
export function createRuntime({ url, token, timeoutMs = 3_000, keys, prompts, onError = newLog() }: RuntimeOptions) {
  const api = createAiApi({ url, token, timeoutMs })
  return {
    ...createKeyChecks(api, onError, keys),
    ...createPrompts(api, onError, prompts),
    ...createUsers(api),
  }
}

/** In an outage, every request has a failure. */
function newLog() {
  let loggedAt = 0
  return (error: unknown): void => {
    if (Date.now() - loggedAt < LOG_INTERVAL_MS) return
    loggedAt = Date.now()
    console.error(error)
  }
}
