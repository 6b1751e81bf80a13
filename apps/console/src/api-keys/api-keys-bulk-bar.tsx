import type { ApiKeyBulkAction } from '@switchboard/contract/api-keys'
import { IconBan, IconPlayerPlay, IconTrash } from '@tabler/icons-react'
import { type BulkAction, BulkBar } from '#src/ui/list/bulk-bar.tsx'
import type { Selection } from '#src/lib/selection.ts'
import { allApiKeys, changeApiKeys, type KeyList } from './bulk-api-keys.api.ts'

const ACTIONS: BulkAction<ApiKeyBulkAction>[] = [
  {
    name: 'activate',
    label: 'Activate',
    done: 'activated',
    Icon: IconPlayerPlay,
    meaning: 'They are accepted again within a second.',
  },
  {
    name: 'deactivate',
    label: 'Deactivate',
    done: 'deactivated',
    Icon: IconBan,
    meaning: 'They are refused within a second, until you activate them again.',
  },
  {
    name: 'delete',
    label: 'Delete',
    done: 'deleted',
    Icon: IconTrash,
    meaning: 'This cannot be undone. Assistants that use them stop working at once.',
  },
]

type Props = { list: KeyList; total: string | undefined; selection: Selection }

export function ApiKeysBulkBar({ list, total, selection }: Props) {
  return (
    <BulkBar
      noun="API key"
      selection={selection}
      total={total}
      actions={ACTIONS}
      selectAll={() => allApiKeys(list)}
      act={(action, ids) => changeApiKeys(selection.isByFilter ? list : null, action, ids)}
    />
  )
}
