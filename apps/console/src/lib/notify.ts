/** A short message at the edge of the screen, for what has no form or dialog to stand in (STYLE 24). */
export type Notification = { id: number; tone: 'ok' | 'bad'; text: string }

let notifications: readonly Notification[] = []
let lastId = 0
const listeners = new Set<() => void>()

/** Shows a message: `ok` goes away by itself, `bad` stays until it is closed. */
export function notify(tone: Notification['tone'], text: string): void {
  lastId += 1
  publish([...notifications, { id: lastId, tone, text }])
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
