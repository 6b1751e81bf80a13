import { ActionIcon, Button } from '@mantine/core'
import { IconAlertCircle, IconCircleCheck, IconX } from '@tabler/icons-react'
import { useEffect, useSyncExternalStore } from 'react'
import { currentNotifications, dismiss, type Notification, onNotificationsChange } from '#src/lib/notify.ts'
import css from './toaster.module.css'
import { focusTitle } from '#src/ui/dialog/use-focus-return.ts'

const SHOWN_MS = 5_000

/** Shows notifications. Always rendered, because screen readers announce only changes of an existing live region. */
export function Toaster() {
  const notifications = useSyncExternalStore(onNotificationsChange, currentNotifications)
  return (
    <section className={css.toaster} aria-label="Notifications" aria-live="polite">
      {notifications.map((notification) => (
        <Toast key={notification.id} {...notification} />
      ))}
    </section>
  )
}

function Toast({ id, tone, text, onRetry, onDismiss }: Notification) {
  useEffect(() => {
    if (tone !== 'ok') return
    const timer = setTimeout(() => dismiss(id), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [id, tone])
  const Icon = tone === 'ok' ? IconCircleCheck : IconAlertCircle
  return (
    <div className={`${css.toast} ${css[tone]}`}>
      <Icon size={18} className={css.icon} aria-hidden />
      <div className={css.text}>{text}</div>
      {onRetry && (
        <Button
          variant="default"
          size="compact-sm"
          onClick={() => {
            // The button unmounts and would lose the focus.
            focusTitle()
            dismiss(id)
            onRetry()
          }}
        >
          Try again
        </Button>
      )}
      <ActionIcon
        variant="subtle"
        color="gray"
        size="sm"
        aria-label="Dismiss"
        onClick={() => {
          dismiss(id)
          onDismiss?.()
        }}
      >
        <IconX size={14} aria-hidden />
      </ActionIcon>
    </div>
  )
}
