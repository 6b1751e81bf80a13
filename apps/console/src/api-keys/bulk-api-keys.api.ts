import { apiKeyList } from '@switchboard/contract/api-keys/key-list'
import { UNDO_HINT } from '#src/lib/notify.ts'
import { bulkApi, RESTORE } from '#src/lists/list-api.ts'
import { keyLabel } from './api-key-labels.ts'
import { keyPages } from './api-keys.api.ts'

export const apiKeyBulk = bulkApi(
  apiKeyList,
  'API key',
  [
    { name: 'activate', consequence: 'They are accepted again within a second.' },
    {
      name: 'deactivate',
      consequence: 'They are refused within a second, until you activate them again.',
    },
    {
      name: 'delete',
      consequence: `Assistants that use them stop working at once. ${UNDO_HINT}`,
    },
    RESTORE,
  ],
  nameOfKey,
)

/** "Production ending 8f8e of Harbor Dental", also for an unfolded old key. */
function nameOfKey(id: string): string | undefined {
  const isOf = (key: { id: string }) => key.id === id
  const row = keyPages.loadedRow((key) => [key, ...key.old_keys].some(isOf))
  const key = row && [row, ...row.old_keys].find(isOf)
  return key && `${keyLabel(key)} of ${key.tenant_name}`
}
