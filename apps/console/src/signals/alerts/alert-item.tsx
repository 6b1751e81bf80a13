import { ALERT_KINDS, remedyOf } from '@switchboard/contract/signals/alert-kinds'
import type { Alert } from '@switchboard/contract/signals/alerts'
import { useRouter } from '@tanstack/react-router'
import type { MouseEvent } from 'react'
import { useAllowed } from '#src/lib/can.ts'
import { entryOf } from '#src/navigation.ts'
import hidden from '#src/ui/page/visually-hidden.module.css'
import { Badge } from '#src/ui/badge/badge.tsx'
import { RelativeTime } from '#src/ui/time/relative-time.tsx'
import css from './alert-item.module.css'

type Props = {
  alert: Alert
  /** Called when the alert's link is followed. */
  onFollow: (alert: Alert) => void
}

/** An alert: what is wrong, since when, whether it is over, and the link to the page that mends it, for those who may open it. */
export function AlertItem({ alert, onFollow }: Props) {
  const { history } = useRouter()
  const { kind, text, opened_at, resolved_at, is_unread } = alert
  const { label, path } = remedyOf(alert)
  const canOpen = useAllowed()([entryOf(path) ?? {}]).length > 0

  function follow(event: MouseEvent) {
    onFollow(alert)
    if (event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    history.push(path)
  }
  return (
    <li className={css.item}>
      <span className={is_unread ? css.unread : css.read} aria-hidden />
      <div className={css.about}>
        <p className={is_unread ? 'strong' : 'ink-2'} dir="auto">
          {is_unread && <span className={hidden.hidden}>Unread: </span>}
          {text}
        </p>
        <p className={css.facts}>
          {ALERT_KINDS[kind].label} · <RelativeTime moment={opened_at} />
          {resolved_at !== null && (
            <>
              {' · '}
              <Badge tone="ok" text="Resolved" dot /> <RelativeTime moment={resolved_at} />
            </>
          )}
        </p>
      </div>
      {canOpen && (
        <a href={path} className={css.link} aria-label={`${label}: ${text}`} onClick={follow}>
          {label}
        </a>
      )}
    </li>
  )
}
