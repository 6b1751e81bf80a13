import type { AuditTargetType } from '@switchboard/contract/activity'
import { IconHistory } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import type { Action } from '#src/ui/table/action.ts'

/** Returns a row action to the audit log of a record. For a tenant, the log includes users, keys and tasks. */
export function useHistoryAction(target_type: AuditTargetType): (record: { id: string }) => Action {
  const navigate = useNavigate()
  return ({ id }) => ({
    label: 'History',
    Icon: IconHistory,
    capability: 'view',
    onSelect: () =>
      void navigate({
        to: '/settings/activity',
        search: target_type === 'tenant' ? { tenant_id: id } : { target_type, target_id: id },
      }),
  })
}
