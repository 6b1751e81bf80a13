import { useQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { alertsQuery } from '#src/signals/alerts/alerts.api.ts'
import { countText } from '#src/lib/format/count.ts'
import { lazyPart } from '#src/lib/lazy.tsx'
import { BellIcon } from './bell-icon.tsx'
import css from './bell-icon.module.css'

const AlertsDialog = lazyPart(() => import('#src/signals/alerts/alerts-dialog.tsx').then((code) => code.AlertsDialog))

/** A larger number is written as "99+". */
const COUNT_MAX = 99

/** The bell: the number of unread alerts, and the list of alerts. */
export function Bell() {
  const { data } = useQuery(alertsQuery)
  const [isOpen, setIsOpen] = useState(false)
  const unread = data?.unread ?? 0
  return (
    <>
      <BellIcon
        label={unread === 0 ? 'Alerts' : `Alerts, ${countText(unread)} unread`}
        isOpen={isOpen}
        onApproach={() => void AlertsDialog.preload()}
        onOpen={() => setIsOpen(true)}
      >
        {unread > 0 && (
          <span className={css.count} aria-hidden>
            {unread > COUNT_MAX ? `${COUNT_MAX}+` : unread}
          </span>
        )}
      </BellIcon>
      <Suspense>{isOpen && <AlertsDialog onClose={() => setIsOpen(false)} />}</Suspense>
    </>
  )
}
