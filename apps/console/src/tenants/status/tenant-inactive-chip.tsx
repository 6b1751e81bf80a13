import type { Tenant } from '@switchboard/contract/tenants'
import { IconBan } from '@tabler/icons-react'
import { useCan } from '#src/lib/can.ts'
import { focusTitle } from '#src/ui/dialog/use-focus-return.ts'
import tones from '#src/ui/badge/tones.module.css'
import css from './tenant-inactive-chip.module.css'
import { suspensionText } from '#src/tenants/tenant-labels.ts'
import { useReactivateTenant } from './tenant-status.api.ts'

type Props = {
  /** With the suspension, if it is known. */
  tenant: Pick<Tenant, 'id' | 'name'> & Partial<Pick<Tenant, 'suspended_at' | 'suspended_until' | 'suspension_reason'>>
  effect?: string
}

/** Marks the records of an inactive tenant, with a button that reactivates the tenant if the role allows it. */
export function TenantInactiveChip({ tenant, effect = 'all keys refused' }: Props) {
  const canEdit = useCan('edit')
  // The chip and its focused button disappear.
  const reactivation = useReactivateTenant(focusTitle)
  const { suspended_at = null, suspended_until = null, suspension_reason: reason = null } = tenant
  const suspension = suspensionText({ suspended_at, suspended_until })
  return (
    <div className={`${css.chip} ${tones.bad}`}>
      <IconBan size={14} aria-hidden />
      <span className={css.text}>
        Tenant inactive: {effect}
        {(suspension !== 'Suspended' || reason !== null) && `. ${suspension}`}
        {reason !== null && (
          <>
            : <bdi>{reason}</bdi>
          </>
        )}
      </span>
      {canEdit && (
        <button
          type="button"
          className={css.activate}
          aria-label={`Reactivate ${tenant.name}`}
          aria-disabled={reactivation.isPending}
          onClick={() => {
            if (!reactivation.isPending) reactivation.mutate(tenant)
          }}
        >
          {reactivation.isPending ? 'Reactivating...' : 'Reactivate'}
        </button>
      )}
    </div>
  )
}
