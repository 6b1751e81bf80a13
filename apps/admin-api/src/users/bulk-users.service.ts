import { deleteUser, toggleUser, type User } from '@switchboard/contract/users'
import type { Deps } from '#src/deps.ts'
import type { Actor } from '#src/sessions/sessions.service.ts'
import * as service from './users.service.ts'

export const userBulk = {
  targetType: 'user',
  lock: service.lockForChange,
  nameOf: (user: User) => user.email,
  actions: {
    activate: setActive(true),
    deactivate: setActive(false),
    delete: { endpoint: deleteUser, act: service.deleteUser },
  },
} as const

function setActive(is_active: boolean) {
  return {
    endpoint: toggleUser,
    isDone: (user: User) => user.is_active === is_active,
    act: (deps: Deps, actor: Actor, id: string) => service.toggleUser(deps, actor, id, { is_active }),
  }
}
