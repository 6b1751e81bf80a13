import { apiKeyList } from '@switchboard/contract/api-keys/key-list'
import { IconBan, IconPlayerPlay, IconTrash } from '@tabler/icons-react'
import { bulkApi } from '#src/lists/list-api.ts'

export const apiKeyBulk = bulkApi(apiKeyList, 'API key', [
  { name: 'activate', Icon: IconPlayerPlay, consequence: 'They are accepted again within a second.' },
  {
    name: 'deactivate',
    Icon: IconBan,
    consequence: 'They are refused within a second, until you activate them again.',
  },
  {
    name: 'delete',
    Icon: IconTrash,
    consequence: 'This cannot be undone. Assistants that use them stop working at once.',
  },
])
