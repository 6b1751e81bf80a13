import type { Tenant } from '@switchboard/contract/tenants'
import { IconAlertCircle, IconCircleCheck, IconCircleDashed } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { messageOf } from '#src/lib/call-error.ts'
import { healthOf } from './tenant-health-labels.ts'
import css from './tenant-health.module.css'
import { tenantHealthQuery } from './tenant-page.api.ts'

const ICONS = { ok: IconCircleCheck, quiet: IconCircleDashed, bad: IconAlertCircle }

type Props = {
  tenant: Tenant
  /** Only bad health is shown. */
  isDense: boolean
}

/** The health of a tenant in one line. */
export function TenantHealth({ tenant, isDense }: Props) {
  const { data, error } = useQuery(tenantHealthQuery(tenant.id))
  if (data === undefined)
    return error && <p className={css.line}>{messageOf(error, 'The health could not be loaded.')}</p>
  const { tone, text, reason, rest } = healthOf(tenant, data)
  if (isDense && tone !== 'bad') return null
  const Icon = ICONS[tone]
  return (
    <p className={`${css.line} ${css[tone]}`}>
      <Icon size={16} aria-hidden />
      <span>
        {text}
        {reason && (
          <>
            : <bdi>{reason}</bdi>
          </>
        )}
        {rest && `${reason ? ' · ' : ': '}${rest}`}
      </span>
    </p>
  )
}
