import { tenantList } from '@switchboard/contract/tenants'
import { IconBan, IconPlayerPlay, IconTrash } from '@tabler/icons-react'
import { bulkApi } from '#src/lists/list-api.ts'

export const tenantBulk = bulkApi(tenantList, 'tenant', [
  {
    name: 'activate',
    label: 'Activate',
    done: 'activated',
    Icon: IconPlayerPlay,
    consequence: 'Their keys work and their tasks run again.',
  },
  {
    name: 'deactivate',
    label: 'Deactivate',
    done: 'deactivated',
    Icon: IconBan,
    consequence: 'Their keys are refused and their tasks are skipped within a second, until you activate them again.',
  },
  {
    name: 'delete',
    label: 'Delete',
    done: 'deleted',
    Icon: IconTrash,
    consequence: 'This cannot be undone and removes all associated data: users, API keys and tasks.',
  },
])
