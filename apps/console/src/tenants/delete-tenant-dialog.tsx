import type { Tenant } from '@switchboard/contract/tenants'
import { useQuery } from '@tanstack/react-query'
import { counted } from '#src/lib/format/count.ts'
import { ConfirmDelete } from '#src/ui/dialog/confirm-delete.tsx'
import { statusEffectsQuery } from './tenant-status.api.ts'
import { useDeleteTenant } from './tenants.api.ts'

type Props = { tenant: Tenant; onDeleted: () => void; onClose: () => void }

/** Asks for the name of a tenant before the tenant and all its records are deleted. */
export function DeleteTenantDialog({ tenant, ...on }: Props) {
  const deletion = useDeleteTenant()
  const used = useQuery(statusEffectsQuery('inactive', [tenant.id])).data?.used_api_key_count ?? 0
  const { api_key_count: keys, admin_count: users, task_count: tasks } = tenant
  return (
    <ConfirmDelete
      title="Delete Tenant"
      failure="The tenant could not be deleted."
      success={`${tenant.name} was deleted.`}
      mustType={tenant.name}
      onDelete={() => deletion.mutateAsync(tenant)}
      {...on}
    >
      <p>
        Delete <strong dir="auto">{tenant.name}</strong>? This cannot be undone and removes all associated data
        {keys + users + tasks === 0 ? '.' : ':'}
      </p>
      {keys + users + tasks > 0 && (
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
      )}
    </ConfirmDelete>
  )
}
