import { tenantList } from '@switchboard/contract/tenants'
import { IconBan, IconPlayerPlay, IconTrash } from '@tabler/icons-react'
import type { TenantStatus } from '@switchboard/contract/tenants/tenant-status'
import { queryClient } from '#src/lib/query-client.ts'
import { bulkApi } from '#src/lists/list-api.ts'
import { bulkEffectsText } from './tenant-labels.ts'
import { statusEffectsQuery } from './tenant-status.api.ts'
import { tenantPages } from './tenants.api.ts'

export const tenantBulk = bulkApi(
  tenantList,
  'tenant',
  [
    {
      name: 'activate',
      Icon: IconPlayerPlay,
      consequence: 'Their keys work and their tasks run again.',
      effectsOf: effectsOf('active'),
    },
    {
      name: 'deactivate',
      Icon: IconBan,
      consequence: 'Their keys are refused and their tasks are skipped within a second, until you activate them again.',
      effectsOf: effectsOf('inactive'),
    },
    {
      name: 'delete',
      Icon: IconTrash,
      consequence: 'This cannot be undone and removes all associated data: users, API keys and tasks.',
    },
  ],
  (id) => tenantPages.loadedRow((tenant) => tenant.id === id)?.name,
)

function effectsOf(status: TenantStatus) {
  return async (ids: string[]) =>
    bulkEffectsText(status, ids.length, await queryClient.fetchQuery(statusEffectsQuery(status, ids)))
}
