import { currentSession, onSessionChange } from './session.ts'

/** A short message at the edge of the screen, for what has no form or dialog to stand in (STYLE 24). */
export type Notification = { id: number; tone: 'ok' | 'bad'; text: string } & Handlers
/** `onRetry` adds a "Try again" button. `onDismiss` runs when the user closes the notification. */
type Handlers = { onRetry?: () => void; onDismiss?: () => void }

let notifications: readonly Notification[] = []
let lastId = 0
const listeners = new Set<() => void>()

// What was said in one session is not for the next one.
onSessionChange(() => {
  if (currentSession().kind !== 'authenticated') publish([])
})

/**
 * Shows a message while an admin is signed in: `ok` disappears by itself, `bad` stays until closed. Returns the id for
 * `dismiss`.
 */
export function notify(tone: Notification['tone'], text: string, handlers: Handlers = {}): number {
  lastId += 1
  if (currentSession().kind === 'authenticated') publish([...notifications, { id: lastId, tone, text, ...handlers }])
  return lastId
}

export function dismiss(id: number): void {
  publish(notifications.filter((notification) => notification.id !== id))
}

export function currentNotifications(): readonly Notification[] {
  return notifications
}

export function onNotificationsChange(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function publish(next: readonly Notification[]): void {
  notifications = next
  for (const listener of listeners) listener()
}
