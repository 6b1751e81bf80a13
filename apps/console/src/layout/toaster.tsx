import { ActionIcon, Button } from '@mantine/core'
import { IconAlertCircle, IconCircleCheck, IconX } from '@tabler/icons-react'
import { type FocusEvent, useEffect, useId, useRef, useState, useSyncExternalStore } from 'react'
import {
  currentNotifications,
  dismiss,
  type Notification,
  onNotificationsChange,
  undo,
  UNDO_SECONDS,
} from '#src/lib/notify.ts'
import { focusTitle } from '#src/ui/dialog/use-focus-return.ts'
import hidden from '#src/ui/page/visually-hidden.module.css'
import { MODIFIER_KEY } from './shortcuts.ts'
import css from './toaster.module.css'

const SHOWN_MS = 5_000
const UNDO_MS = UNDO_SECONDS * 1_000

/** Shows notifications. Always rendered, because screen readers announce only changes of an existing live region. */
export function Toaster() {
  const notifications = useSyncExternalStore(onNotificationsChange, currentNotifications)
  const region = useRef<HTMLElement>(null)
  const cameFrom = useRef<Element>(null)

  function enter({ relatedTarget }: FocusEvent) {
    if (!region.current?.contains(relatedTarget)) cameFrom.current = relatedTarget
  }

  /** For a focused button that is about to be removed. */
  function leave() {
    const before = cameFrom.current
    if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true })
    else focusTitle()
  }

  return (
    <section ref={region} className={css.toaster} aria-label="Notifications" aria-live="polite">
      {notifications.map((notification) => (
        <Toast key={notification.id} notification={notification} onEnter={enter} onLeave={leave} />
      ))}
    </section>
  )
}

type ToastProps = { notification: Notification; onEnter: (event: FocusEvent) => void; onLeave: () => void }

function Toast({ notification, onEnter, onLeave }: ToastProps) {
  const { id, tone, text, isUndoing = false, onRetry, onDismiss, onUndo } = notification
  const textId = useId()
  const [isHovered, setIsHovered] = useState(false)
  const [isFocused, setIsFocused] = useState(false)
  useExpiry(notification, isHovered || isFocused || isUndoing)
  const Icon = tone === 'ok' ? IconCircleCheck : IconAlertCircle

  function leaveTo(act: () => void) {
    onLeave()
    act()
  }

  return (
    <div
      className={`${css.toast} ${css[tone]}`}
      onPointerEnter={() => setIsHovered(true)}
      onPointerLeave={() => setIsHovered(false)}
      onFocus={(event) => {
        setIsFocused(true)
        onEnter(event)
      }}
      onBlur={() => setIsFocused(false)}
    >
      <Icon size={18} className={css.icon} aria-hidden />
      <div className="grow">
        <div id={textId} className={css.text}>
          {text}
        </div>
        {onUndo && <span className={hidden.hidden}>Press {MODIFIER_KEY} Z to undo.</span>}
        {onUndo && (
          <Button
            variant="default"
            size="compact-sm"
            className={css.action}
            aria-describedby={textId}
            aria-keyshortcuts="Control+Z Meta+Z"
            aria-disabled={isUndoing}
            onClick={() => leaveTo(() => undo(id))}
          >
            {isUndoing ? 'Undoing...' : 'Undo'}
          </Button>
        )}
        {onRetry && (
          <Button
            variant="default"
            size="compact-sm"
            className={css.action}
            aria-describedby={textId}
            onClick={() =>
              leaveTo(() => {
                dismiss(id)
                onRetry()
              })
            }
          >
            Try Again
          </Button>
        )}
      </div>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="sm"
        aria-label="Dismiss"
        onClick={() =>
          leaveTo(() => {
            dismiss(id)
            onDismiss?.()
          })
        }
      >
        <IconX size={14} aria-hidden />
      </ActionIcon>
    </div>
  )
}

/** Dismisses a notification of a success. The time stops while the pointer or the focus is on it, or the tab is hidden. */
function useExpiry({ id, tone, onUndo }: Notification, isHeld: boolean): void {
  const left = useRef(onUndo === undefined ? SHOWN_MS : UNDO_MS)
  const isTabHidden = useSyncExternalStore(onVisibilityChange, () => document.hidden)
  const isRunning = tone === 'ok' && !isHeld && !isTabHidden
  useEffect(() => {
    if (!isRunning) return
    const start = performance.now()
    const timer = setTimeout(() => dismiss(id), left.current)
    return () => {
      clearTimeout(timer)
      left.current -= performance.now() - start
    }
  }, [id, isRunning])
}

function onVisibilityChange(listener: () => void): () => void {
  document.addEventListener('visibilitychange', listener)
  return () => document.removeEventListener('visibilitychange', listener)
}
