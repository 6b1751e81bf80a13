import { tenantList } from '@switchboard/contract/tenants'
import { IconBan, IconPlayerPlay, IconTrash } from '@tabler/icons-react'
import { bulkApi } from '#src/lists/list-api.ts'

export const tenantBulk = bulkApi(tenantList, 'tenant', [
  { name: 'activate', Icon: IconPlayerPlay, consequence: 'Their keys work and their tasks run again.' },
  {
    name: 'deactivate',
    Icon: IconBan,
    consequence: 'Their keys are refused and their tasks are skipped within a second, until you activate them again.',
  },
  {
    name: 'delete',
    Icon: IconTrash,
    consequence: 'This cannot be undone and removes all associated data: users, API keys and tasks.',
  },
])
