import { type ApiKey, deleteApiKey, toggleApiKey } from '@switchboard/contract/api-keys'
import type { Deps } from '#src/deps.ts'
import type { Actor } from '#src/sessions/sessions.service.ts'
import { lockApiKey } from './api-keys.queries.ts'
import * as service from './api-keys.service.ts'

export const apiKeyBulk = {
  targetType: 'api_key',
  lock: lockApiKey,
  nameOf: (key: ApiKey) => key.name,
  actions: {
    activate: setActive(true),
    deactivate: setActive(false),
    delete: { endpoint: deleteApiKey, act: service.deleteApiKey },
  },
} as const

function setActive(isActive: boolean) {
  return {
    endpoint: toggleApiKey,
    isDone: (key: ApiKey) => key.is_active === isActive,
    act: (deps: Deps, actor: Actor, id: string) => service.toggleApiKey(deps, actor, id, isActive),
  }
}
