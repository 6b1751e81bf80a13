import { useQuery } from '@tanstack/react-query'
import { countText } from '#src/lib/format/count.ts'
import { alertsQuery } from '#src/signals/alerts/alerts.api.ts'
import hidden from '#src/ui/page/visually-hidden.module.css'
import css from './bell.module.css'

/** A larger number is written as "99+". */
const COUNT_MAX = 99

/** The number of unread alerts, at the bell. */
export function UnreadCount() {
  const { unread = 0 } = useQuery(alertsQuery).data ?? {}
  if (unread === 0) return null
  return (
    <>
      <span className={css.count} aria-hidden>
        {unread > COUNT_MAX ? `${COUNT_MAX}+` : unread}
      </span>
      <span className={hidden.hidden}>{countText(unread)} unread</span>
    </>
  )
}
