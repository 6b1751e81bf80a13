import { DELETION_KEPT_DAYS } from '@switchboard/contract/wire/deletions'
import { failureText, isRetryable } from './call-error.ts'
import { currentSession, onSessionChange } from './session.ts'

/** The sentence that reports an undo, or the failure of a part of it. */
export type UndoResult = string | { tone: 'bad'; text: string }

/** A notification, for results without a form or dialog. */
export type Notification = { id: number; tone: 'ok' | 'bad'; text: string; isUndoing?: boolean } & Handlers
type Handlers = {
  /** Adds a "Try Again" button. */
  onRetry?: () => void
  /** Runs when the user closes the notification. */
  onDismiss?: () => void
  /**
   * Adds an "Undo" button for 10 seconds. Runs at most once. After a rejection, a notification says what could not be
   * undone.
   */
  onUndo?: (() => Promise<UndoResult>) | undefined
  /** Id of a record. A newer notification about the same record replaces this one. */
  about?: string
}

/** Time to read what a change did and to undo the change. */
export const UNDO_SECONDS = 10
/** For dialogs that delete a record. */
export const UNDO_HINT = `You can undo this for ${UNDO_SECONDS} seconds. It can be restored for ${DELETION_KEPT_DAYS} days.`

let notifications: readonly Notification[] = []
let lastId = 0
const listeners = new Set<() => void>()

// Notifications end with their session.
onSessionChange(() => {
  if (currentSession().kind !== 'authenticated') publish([])
})

/**
 * Shows a message while an admin is signed in: `ok` disappears by itself, `bad` stays until closed. Returns the id for
 * `dismiss` and `undo`.
 */
export function notify(tone: Notification['tone'], text: string, handlers: Handlers = {}): number {
  lastId += 1
  if (currentSession().kind !== 'authenticated') return lastId
  const others = notifications.filter(({ about }) => about === undefined || about !== handlers.about)
  publish([...others, { id: lastId, tone, text, ...handlers }])
  return lastId
}

/**
 * Reports the failure of an action, with "Try Again" if that can succeed. `sentence` names the record and the action; `about`
 * is the id of the record.
 */
export function notifyFailure(
  error: unknown,
  sentence: string,
  { about, onRetry }: { about?: string | undefined; onRetry: () => void },
): void {
  notify('bad', failureText(error, sentence), {
    ...(about !== undefined && { about }),
    ...(isRetryable(error) && { onRetry }),
  })
}

export function dismiss(id: number): void {
  publish(notifications.filter((notification) => notification.id !== id))
}

/** Undoes the change of a notification, unless the undo is already running. */
export function undo(id: number): void {
  const notification = notifications.find((shown) => shown.id === id)
  if (notification?.onUndo === undefined || notification.isUndoing) return
  publish(notifications.map((shown) => (shown.id === id ? { ...shown, isUndoing: true } : shown)))
  void runUndo(notification, notification.onUndo)
}

/** Undoes the newest change that can be undone. Returns false without such a change. */
export function undoNewest(): boolean {
  const newest = notifications.findLast(({ onUndo, isUndoing }) => onUndo !== undefined && !isUndoing)
  if (newest !== undefined) undo(newest.id)
  return newest !== undefined
}

export function currentNotifications(): readonly Notification[] {
  return notifications
}

export function onNotificationsChange(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

async function runUndo({ id, text, about }: Notification, onUndo: () => Promise<UndoResult>): Promise<void> {
  const handlers = about === undefined ? {} : { about }
  try {
    const result = await onUndo()
    dismiss(id)
    if (typeof result === 'string') notify('ok', result, handlers)
    else notify(result.tone, result.text, handlers)
  } catch (error) {
    dismiss(id)
    notifyFailure(error, `Not undone: ${text}`, {
      about,
      onRetry: () => void runUndo({ id, tone: 'ok', text }, onUndo),
    })
  }
}

function publish(next: readonly Notification[]): void {
  notifications = next
  for (const listener of listeners) listener()
}
