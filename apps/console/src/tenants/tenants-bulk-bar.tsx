import type { TenantBulkAction } from '@switchboard/contract/tenants'
import { IconBan, IconPlayerPlay, IconTrash } from '@tabler/icons-react'
import { type BulkAction, BulkBar } from '#src/ui/list/bulk-bar.tsx'
import type { Selection } from '#src/lib/selection.ts'
import { allTenants, changeTenants } from './bulk-tenants.api.ts'
import type { TenantList } from './tenants.api.ts'

const ACTIONS: BulkAction<TenantBulkAction>[] = [
  {
    name: 'activate',
    label: 'Activate',
    done: 'activated',
    Icon: IconPlayerPlay,
    meaning: 'Their keys work and their tasks run again.',
  },
  {
    name: 'deactivate',
    label: 'Deactivate',
    done: 'deactivated',
    Icon: IconBan,
    meaning: 'Their keys are refused and their tasks are skipped within a second, until you activate them again.',
  },
  {
    name: 'delete',
    label: 'Delete',
    done: 'deleted',
    Icon: IconTrash,
    meaning: 'This cannot be undone and removes all associated data: users, API keys and tasks.',
  },
]

type Props = { list: TenantList; total: string | undefined; selection: Selection }

export function TenantsBulkBar({ list, total, selection }: Props) {
  return (
    <BulkBar
      noun="tenant"
      selection={selection}
      total={total}
      actions={ACTIONS}
      selectAll={() => allTenants(list)}
      act={(action, ids) => changeTenants(selection.isByFilter ? list : null, action, ids)}
    />
  )
}
