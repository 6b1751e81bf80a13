import { tenantList, type TenantListQuery } from '@switchboard/contract/tenants'
import type { FiltersOf } from '@switchboard/contract/wire/list-endpoints'
import type { TenantStatus } from '@switchboard/contract/tenants/tenant-status'
import { DELETION_KEPT_DAYS } from '@switchboard/contract/wire/deletions'
import { queryClient } from '#src/lib/query-client.ts'
import { type Bulk, bulkApi, bulkOf } from '#src/lists/list-api.ts'
import { bulkEffectsText } from './tenant-labels.ts'
import { statusEffectsQuery } from '#src/tenants/status/tenant-status.api.ts'
import { tenantPages } from './tenants.api.ts'

const bulk = bulkApi(
  tenantList,
  'tenant',
  [
    {
      name: 'reactivate',
      consequence: 'Their keys work and their tasks run again.',
      effectsOf: effectsOf('active'),
    },
    {
      name: 'suspend',
      isDanger: true,
      consequence: 'Their keys are refused and their tasks are skipped within a second, until you reactivate them.',
      effectsOf: effectsOf('inactive'),
    },
    {
      name: 'delete',
      consequence: `Their keys are refused and their tasks stop within a second. For ${DELETION_KEPT_DAYS} days the tenants can be restored with all their records.`,
    },
    {
      name: 'restore',
      consequence: 'Their users, keys and tasks are as they were before the deletion.',
    },
  ],
  (id) => tenantPages.loadedRow((tenant) => tenant.id === id)?.name,
)

/** The bulk actions of the list with these filters: only "Restore" for deleted tenants, otherwise all others. */
export function tenantBulk(filters: FiltersOf<TenantListQuery>): Bulk {
  return bulkOf(bulk(filters), filters.deleted !== undefined)
}

function effectsOf(status: TenantStatus) {
  return async (ids: string[]) =>
    bulkEffectsText(status, ids.length, await queryClient.fetchQuery(statusEffectsQuery(status, ids)))
}
