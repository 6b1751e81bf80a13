import type { Tenant } from '@switchboard/contract/tenants'
import { IconBan } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { failureText } from '#src/lib/call-error.ts'
import { notify } from '#src/lib/notify.ts'
import { focusTitle } from '#src/ui/dialog/use-focus-return.ts'
import tones from '#src/ui/page/tones.module.css'
import css from './tenant-inactive-chip.module.css'
import { activateTenant } from './tenant-status.api.ts'

type Props = { tenant: Pick<Tenant, 'id' | 'name'>; effect?: string }

/** Marks the records of an inactive tenant, with a button that activates the tenant. */
export function TenantInactiveChip({ tenant, effect = 'all keys refused' }: Props) {
  const activation = useMutation({
    mutationFn: () => activateTenant(tenant),
    // The chip and its focused button disappear.
    onSuccess: focusTitle,
    onError: (error) =>
      notify('bad', failureText(error, `${tenant.name} could not be activated.`), {
        about: tenant.id,
        onRetry: () => activation.mutate(),
      }),
  })
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
          if (!activation.isPending) activation.mutate()
        }}
      >
        {activation.isPending ? 'Activating...' : 'Activate'}
      </button>
    </div>
  )
}
