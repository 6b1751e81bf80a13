import { userList } from '@switchboard/contract/users'
import { IconTrash, IconUserCheck, IconUserOff } from '@tabler/icons-react'
import { bulkApi } from '#src/lists/list-api.ts'
import { userPages } from './users.api.ts'

export const userBulk = bulkApi(
  userList,
  'user',
  [
    { name: 'activate', Icon: IconUserCheck, consequence: 'They can sign in again.' },
    {
      name: 'deactivate',
      Icon: IconUserOff,
      consequence: 'They are signed out at once and cannot sign in until you activate them again.',
      sparesOwnAccount: true,
    },
    {
      name: 'delete',
      Icon: IconTrash,
      consequence: 'This cannot be undone, and signs them out at once. To keep the accounts, deactivate them instead.',
      sparesOwnAccount: true,
    },
  ],
  (id) => userPages.loadedRow((user) => user.id === id)?.email,
)
