import { userList } from '@switchboard/contract/users'
import { UNDO_HINT } from '#src/lib/notify.ts'
import { bulkApi, RESTORE } from '#src/lists/list-api.ts'
import { userPages } from './users.api.ts'

export const userBulk = bulkApi(
  userList,
  'user',
  [
    {
      name: 'activate',
      consequence: "They can sign in again: users to their tenant's portal, people who run the console to the console.",
    },
    {
      name: 'deactivate',
      consequence:
        'They cannot sign in until you activate them again. People who run the console are signed out at once.',
      sparesOwnAccount: true,
    },
    {
      name: 'delete',
      consequence: `They can no longer sign in. ${UNDO_HINT} To keep the accounts, deactivate them instead.`,
      sparesOwnAccount: true,
    },
    RESTORE,
  ],
  (id) => userPages.loadedRow((user) => user.id === id)?.email,
)
