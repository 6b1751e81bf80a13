import { useLocation, useRouter } from '@tanstack/react-router'
import { useEffect, useEffectEvent } from 'react'
import type { Action } from './action.ts'

/**
 * An action on a record of a page, chosen before the page opened: the id of the record and the label of the action. In the
 * state of the history entry, because a link that another site made must not change anything.
 */
export type RequestedAction = { id: string; label: string }

declare module '@tanstack/react-router' {
  interface HistoryState {
    action?: RequestedAction
  }
}

/** Actions that have run, by the object in the history state: effects run twice in development. */
const done = new WeakSet<RequestedAction>()

/**
 * Runs the requested action as soon as its record has loaded, as if its button was pressed. Does nothing when the record
 * no longer has this action. The previous page may still be shown, so a missing record changes nothing.
 */
export function useRequestedAction<Row extends { id: string }>(
  rows: readonly Row[] | undefined,
  actionsOf: (row: Row) => readonly Action[],
): void {
  const requested = useLocation({ select: ({ state }) => state.action })
  const { history } = useRouter()
  const row = requested && rows?.find(({ id }) => id === requested.id)
  const run = useEffectEvent((found: Row, label: string) => {
    // Back and a reload do not repeat the action.
    history.replace(history.location.href, {})
    const action = actionsOf(found).find((one) => one.label === label)
    if (action && (action.refusal ?? null) === null) action.onSelect()
  })
  useEffect(() => {
    if (requested === undefined || row === undefined || done.has(requested)) return
    done.add(requested)
    run(row, requested.label)
  }, [requested, row])
}
