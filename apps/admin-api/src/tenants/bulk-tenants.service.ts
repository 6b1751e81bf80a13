import { deleteTenant, type Tenant, updateTenant } from '@switchboard/contract/tenants'
import type { Deps } from '#src/deps.ts'
import type { Actor } from '#src/sessions/sessions.service.ts'
import { lockTenant } from './tenants.queries.ts'
import * as service from './tenants.service.ts'

export const tenantBulk = {
  targetType: 'tenant',
  lock: lockTenant,
  nameOf: (tenant: Tenant) => tenant.name,
  actions: {
    activate: setStatus('active'),
    deactivate: setStatus('inactive'),
    delete: { endpoint: deleteTenant, act: service.deleteTenant },
  },
} as const

function setStatus(status: Tenant['status']) {
  return {
    endpoint: updateTenant,
    isDone: (tenant: Tenant) => tenant.status === status,
    act: (deps: Deps, actor: Actor, id: string) =>
      service.updateTenant(deps, actor, { id, expectedVersion: null }, { status }),
  }
}
