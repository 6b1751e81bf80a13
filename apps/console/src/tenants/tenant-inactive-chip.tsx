import type { Tenant } from '@switchboard/contract/tenants'
import { IconBan } from '@tabler/icons-react'
import { focusTitle } from '#src/ui/dialog/use-focus-return.ts'
import tones from '#src/ui/page/tones.module.css'
import css from './tenant-inactive-chip.module.css'
import { useActivateTenant } from './tenant-status.api.ts'

type Props = { tenant: Pick<Tenant, 'id' | 'name'>; effect?: string }

/** Marks the records of an inactive tenant, with a button that activates the tenant. */
export function TenantInactiveChip({ tenant, effect = 'all keys refused' }: Props) {
  // The chip and its focused button disappear.
  const activation = useActivateTenant(focusTitle)
  return (
    <div className={`${css.chip} ${tones.bad}`}>
      <IconBan size={14} aria-hidden />
      Tenant inactive: {effect}
      <button
        type="button"
        className={css.activate}
        aria-label={`Activate ${tenant.name}`}
        aria-disabled={activation.isPending}
        onClick={() => {
          if (!activation.isPending) activation.mutate(tenant)
        }}
      >
        {activation.isPending ? 'Activating...' : 'Activate'}
      </button>
    </div>
  )
}
