import type { UserBulkAction } from '@switchboard/contract/users'
import { IconTrash, IconUserCheck, IconUserOff } from '@tabler/icons-react'
import { type BulkAction, BulkBar } from '#src/ui/list/bulk-bar.tsx'
import type { Selection } from '#src/lib/selection.ts'
import { allUsers, changeUsers } from './bulk-users.api.ts'
import type { UserList } from './users.api.ts'

const ACTIONS: BulkAction<UserBulkAction>[] = [
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

type Props = { list: UserList; total: string | undefined; selection: Selection }

export function UsersBulkBar({ list, total, selection }: Props) {
  return (
    <BulkBar
      noun="user"
      selection={selection}
      total={total}
      actions={ACTIONS}
      selectAll={() => allUsers(list)}
      act={(action, ids) => changeUsers(selection.isByFilter ? list : null, action, ids)}
    />
  )
}
