import * as contract from '@switchboard/contract/api-keys'
import type { ApiKey } from '@switchboard/contract/api-keys'
import type { Deps } from '#src/deps.ts'
import type { Actor } from '#src/auth/sessions/sessions.service.ts'
import { lockApiKey } from './api-keys.queries.ts'
import { toggleApiKey } from './api-keys.service.ts'
import { deleteApiKey, restoreApiKey } from './deleted-api-keys.service.ts'

/** The bulk changes of API keys. */
export const apiKeyBulk = {
  targetType: 'api_key',
  lock: lockApiKey,
  nameOf: (key: ApiKey) => key.name,
  actions: {
    activate: setActive(true),
    deactivate: setActive(false),
    delete: { endpoint: contract.deleteApiKey, act: deleteApiKey },
    restore: { endpoint: contract.restoreApiKey, isDone: () => true, act: restoreApiKey },
  },
} as const

function setActive(isActive: boolean) {
  return {
    endpoint: contract.toggleApiKey,
    isDone: (key: ApiKey) => key.is_active === isActive,
    act: (deps: Deps, actor: Actor, id: string) => toggleApiKey(deps, actor, id, isActive),
  }
}
