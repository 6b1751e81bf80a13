import type { AdminBulkAction } from '@switchboard/contract/tenant-admins'
import { IconTrash, IconUserCheck, IconUserOff } from '@tabler/icons-react'
import { type BulkAction, BulkBar } from '#src/components/bulk-bar.tsx'
import type { Selection } from '#src/lib/selection.ts'
import { allAdmins, changeAdmins } from './many-admins.api.ts'
import type { AdminList } from './admins.api.ts'

const ACTIONS: BulkAction<AdminBulkAction>[] = [
  {
    name: 'activate',
    label: 'Activate',
    done: 'activated',
    Icon: IconUserCheck,
    meaning: 'They can sign in again.',
  },
  {
    name: 'deactivate',
    label: 'Deactivate',
    done: 'deactivated',
    Icon: IconUserOff,
    meaning: 'They are signed out at once and cannot sign in until you activate them again.',
  },
  {
    name: 'delete',
    label: 'Delete',
    done: 'deleted',
    Icon: IconTrash,
    meaning: 'This cannot be undone, and signs them out at once. To keep the accounts, deactivate them instead.',
  },
]

type Props = { list: AdminList; total: string | undefined; selection: Selection }

export function AdminsBulkBar({ list, total, selection }: Props) {
  return (
    <BulkBar
      noun="user"
      selection={selection}
      total={total}
      actions={ACTIONS}
      selectAll={() => allAdmins(list)}
      act={(action, ids) => changeAdmins(selection.isByFilter ? list : null, action, ids)}
    />
  )
}
