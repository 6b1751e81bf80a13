import type { Tenant } from '@switchboard/contract/tenants'
import { counted } from '#src/lib/format/count.ts'

type Props = {
  tenant: Pick<Tenant, 'api_key_count' | 'admin_count' | 'task_count'>
  /** Keys that were used in the last hour. */
  used?: number
}

/** The records that a deletion removes, by kind. */
export function TenantRecords({ tenant, used = 0 }: Props) {
  const { api_key_count: keys, admin_count: users, task_count: tasks } = tenant
  if (keys + users + tasks === 0) return null
  return (
    <ul>
      {keys > 0 && (
        <li>
          {counted(keys, 'API key')}
          {used > 0 && `, ${used} used in the last hour`}
        </li>
      )}
      {users > 0 && <li>{counted(users, 'user')}</li>}
      {tasks > 0 && <li>{counted(tasks, 'task')} with runs and reviews</li>}
    </ul>
  )
}
