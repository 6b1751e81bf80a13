import { type FocusEvent, type KeyboardEvent, type MouseEvent, useEffect, useLayoutEffect, useRef } from 'react'
import { hasReturned } from '#src/lib/navigation/returns.ts'
import { isDialogOpen, isPlainKey, isSingleKey } from '#src/lib/input/single-keys.ts'
import { focusTitle } from '#src/ui/dialog/use-focus-return.ts'
import { nearestRow } from './nearest-row.ts'
import {
  clickMain,
  clickMenu,
  clickShortcut,
  focusRow,
  hideControls,
  isControl,
  isBodyRow,
  moveCursor,
  setTabStops,
  type TableRow,
} from './row-cursor.ts'

/** The row of each table that last had the focus, by the label of the table. */
const lastRows = new Map<string, string>()

const MOVES: Record<string, string> = { j: 'ArrowDown', k: 'ArrowUp' }

/**
 * Makes the rows of a table one Tab stop (roving tabindex). The arrow keys move the cursor over the rows, and over the
 * controls of a row. Enter or a click opens the row, and a key in `aria-keyshortcuts` of a control clicks the control.
 * The head and the current row have one more Tab stop each, for their controls. The DOM holds the cursor: a move renders
 * nothing, and a cell may have any controls.
 *
 * @param label Label of the table.
 * @param onKey Selects the action of a row with this shortcut, which may be in a closed menu; false without such an
 * action.
 */
export function useRowCursor(label: string, rowIds: readonly string[], onKey: (index: number, key: string) => boolean) {
  const table = useRef<HTMLTableElement>(null)
  const shownIds = useRef<readonly string[]>([])
  const focused = useRef<Element>(null)

  useLayoutEffect(() => {
    if (table.current === null) return
    hideControls(table.current)
    const { tHead, tBodies } = table.current
    if (tHead?.rows[0]) setTabStops(tHead.rows[0])
    const last = lastRows.get(label)
    const id = nearestRow(last, shownIds.current, rowIds)
    const isFirst = shownIds.current.length === 0
    shownIds.current = rowIds
    const row = id === undefined ? undefined : tBodies[0]?.rows[rowIds.indexOf(id)]
    if (id === undefined || row === undefined) return
    if (last !== undefined) lastRows.set(label, id)
    setTabStops(row)
    if (isFocusLost(focused.current) || (isFirst && hasReturned() && id === last && isFocusFree())) focusRow(row)
  })

  // The last row may disappear together with its table.
  useEffect(
    () => () => {
      const before = focused.current
      setTimeout(() => isFocusLost(before) && focusTitle())
    },
    [],
  )

  /** The row around an element. A dialog of a cell is outside of the table. */
  function rowOf(target: EventTarget): TableRow | null {
    return target instanceof Element && table.current?.contains(target) ? target.closest('tr') : null
  }

  function onFocus({ target }: FocusEvent) {
    const row = rowOf(target)
    if (row === null) return
    focused.current = target
    setTabStops(row, target)
    const id = rowIds[row.sectionRowIndex]
    if (isBodyRow(row) && id !== undefined) lastRows.set(label, id)
  }

  function onBlur({ target }: FocusEvent) {
    if (target.isConnected) focused.current = null
  }

  function onKeyDown({ target, nativeEvent: event }: KeyboardEvent) {
    const row = rowOf(target)
    if (row === null || !(target instanceof Element) || !isPlainKey(event)) return
    const isHandled =
      event.key.length > 1
        ? !event.shiftKey &&
          (moveCursor(row, target, event.key) || (target === row && event.key === 'Enter' && open(row)))
        : isBodyRow(row) && isSingleKey(event) && pressCharacter(row, target, event)
    if (isHandled) event.preventDefault()
  }

  /** A click between the controls of a row opens its page or drawer, but not at the end of a text selection. */
  function onClick({ target, ctrlKey, metaKey, shiftKey }: MouseEvent) {
    const row = rowOf(target)
    if (row === null || !isBodyRow(row) || ctrlKey || metaKey || shiftKey || isControl(target)) return
    if (getSelection()?.isCollapsed !== false) clickMain(row)
  }

  function pressCharacter(row: TableRow, target: Element, { key, shiftKey }: { key: string; shiftKey: boolean }) {
    if (key === '.') return clickMenu(row)
    const move = MOVES[key.toLowerCase()]
    if (move !== undefined) return moveCursor(row, target, move)
    return clickShortcut(row, key, shiftKey) || onKey(row.sectionRowIndex, key.toUpperCase())
  }

  /** A row without a page or a drawer opens its menu. */
  function open(row: TableRow): boolean {
    return clickMain(row) || clickMenu(row)
  }

  return { ref: table, onFocus, onBlur, onKeyDown, onClick }
}

/** The browser has dropped the focus with a removed element. */
function isFocusLost(focused: Element | null): boolean {
  return focused !== null && !focused.isConnected && document.activeElement === document.body && !isDialogOpen()
}

/** Nothing on the page except its title has taken the focus. */
function isFocusFree(): boolean {
  return document.activeElement === document.body || document.activeElement?.matches('main h1') === true
}
