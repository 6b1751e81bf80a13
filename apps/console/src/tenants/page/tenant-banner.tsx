import { Button } from '@mantine/core'
import type { Tenant } from '@switchboard/contract/tenants'
import { Link } from '@tanstack/react-router'
import { Fragment } from 'react'
import { useCan } from '#src/lib/can.ts'
import { useReactivateTenant } from '#src/tenants/status/tenant-status.api.ts'
import { ButtonLink } from '#src/ui/button/button-link.tsx'
import { focusTitle } from '#src/ui/dialog/use-focus-return.ts'
import { Banner } from '#src/ui/notice/banner.tsx'
import css from './tenant-banner.module.css'
import type { Problem } from './tenant-problems.ts'

/** The worst problem of a tenant with the button that mends it, and links to the others. */
export function TenantBanner({ tenant, problems }: { tenant: Tenant; problems: readonly Problem[] }) {
  const [worst, ...others] = problems
  if (worst === undefined) return null
  const { tone, lead, reason, cost, remedy } = worst
  return (
    <Banner
      tone={tone}
      lead={lead}
      reason={reason}
      action={
        remedy === null ? (
          <ReactivateButton tenant={tenant} />
        ) : (
          <ButtonLink {...remedy.link} variant="default">
            {remedy.label}
          </ButtonLink>
        )
      }
    >
      {cost}
      {others.length > 0 && (
        <span className={css.others}>
          Also:{' '}
          {others.map((problem, at) => (
            <Fragment key={problem.lead}>
              {at > 0 && ' · '}
              {problem.remedy && (
                <Link {...problem.remedy.link} className={css.other}>
                  {problem.lead}
                </Link>
              )}
            </Fragment>
          ))}
        </span>
      )}
    </Banner>
  )
}

function ReactivateButton({ tenant }: { tenant: Tenant }) {
  const canEdit = useCan('edit')
  // The banner and its focused button disappear.
  const reactivation = useReactivateTenant(focusTitle)
  if (!canEdit) return null
  return (
    <Button
      aria-label={`Reactivate ${tenant.name}`}
      loading={reactivation.isPending}
      onClick={() => reactivation.mutate(tenant)}
    >
      Reactivate
    </Button>
  )
}
