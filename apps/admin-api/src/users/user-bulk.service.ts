import * as contract from '@switchboard/contract/users'
import type { User } from '@switchboard/contract/users'
import type { Database } from '@switchboard/database/tables'
import type { Transaction } from 'kysely'
import type { Deps } from '#src/deps.ts'
import type { Actor } from '#src/auth/sessions/sessions.service.ts'
import { deleteUser, restoreUser } from './deleted-users.service.ts'
import { lockForChange, toggleUser } from './users.service.ts'
import { userById } from './users.queries.ts'

/** The bulk changes of users. */
export const userBulk = {
  targetType: 'user',
  // A deleted user has nothing to lock before a restore.
  lock: async (trx: Transaction<Database>, id: string) => (await userById(trx, id)) && (await lockForChange(trx, id)),
  nameOf: (user: User) => user.email,
  actions: {
    activate: setActive(true),
    deactivate: setActive(false),
    delete: { endpoint: contract.deleteUser, act: deleteUser },
    restore: { endpoint: contract.restoreUser, isDone: () => true, act: restoreUser },
  },
} as const

function setActive(is_active: boolean) {
  return {
    endpoint: contract.toggleUser,
    isDone: (user: User) => user.is_active === is_active,
    act: (deps: Deps, actor: Actor, id: string) => toggleUser(deps, actor, id, { is_active }),
  }
}
