import { currentSession, onSessionChange } from './session.ts'

/** A notification, for results without a form or dialog. */
export type Notification = { id: number; tone: 'ok' | 'bad'; text: string } & Handlers
/** `onRetry` adds a "Try again" button. `onDismiss` runs when the user closes the notification. */
type Handlers = { onRetry?: () => void; onDismiss?: () => void }

let notifications: readonly Notification[] = []
let lastId = 0
const listeners = new Set<() => void>()

// Notifications end with their session.
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
