export type TableRow = HTMLTableRowElement

const CONTROLS = ':is(a[href], button:enabled, input:enabled, select:enabled)'

/** The rows that a key leads to. */
const ROW_KEYS: Record<string, (row: TableRow) => Element | null | undefined> = {
  ArrowDown: (row) => row.nextElementSibling,
  ArrowUp: (row) => row.previousElementSibling,
  Home: (row) => row.parentElement?.firstElementChild,
  End: (row) => row.parentElement?.lastElementChild,
}

export function isBodyRow(row: TableRow): boolean {
  return row.parentElement?.tagName === 'TBODY'
}

/** Whether a click on an element belongs to a control of the row, or just missed its checkbox or the buttons at its end. */
export function isControl(target: EventTarget): boolean {
  return target instanceof Element && target.closest('a, button, input, select, label, [data-controls]') !== null
}

/** Takes new controls out of the Tab order. `setTabStops` puts one control of a row back. */
export function hideControls(table: HTMLTableElement): void {
  for (const control of table.querySelectorAll<HTMLElement>(`${CONTROLS}:not([tabindex])`)) control.tabIndex = -1
}

/** Makes a row the current one, with one Tab stop for the row and one for its controls. */
export function setTabStops(row: TableRow, focused?: Element): void {
  for (const stop of row.parentElement?.querySelectorAll<HTMLElement>('[tabindex="0"]') ?? []) {
    if (!row.contains(stop)) stop.tabIndex = -1
  }
  if (isBodyRow(row)) row.tabIndex = 0
  const stop = row.querySelector<HTMLElement>(`${CONTROLS}[tabindex="0"]`)
  const next = focused && focused !== row ? focused : (stop ?? row.querySelector(CONTROLS))
  if (stop && stop !== next) stop.tabIndex = -1
  if (next instanceof HTMLElement) next.tabIndex = 0
}

/** Focuses a row, in view below the head of its table. Returns whether the row exists. */
export function focusRow(row: Element | null | undefined): boolean {
  if (!(row instanceof HTMLElement)) return false
  row.focus({ preventScroll: true })
  row.scrollIntoView({ block: 'nearest' })
  return true
}

/** Moves the focus from an element of a row to another row, or to the next control of the row. */
export function moveCursor(row: TableRow, from: Element, key: string): boolean {
  if (isBodyRow(row) && key in ROW_KEYS) return focusRow(ROW_KEYS[key]?.(row))
  if (key !== 'ArrowLeft' && key !== 'ArrowRight') return false
  const controls = [...row.querySelectorAll<HTMLElement>(CONTROLS)].filter((control) => control.checkVisibility())
  const stops = isBodyRow(row) ? [row, ...controls] : controls
  const next = stops[stops.findIndex((stop) => stop === from) + (key === 'ArrowRight' ? 1 : -1)]
  next?.focus()
  return next !== undefined
}

/** Clicks the link or button that opens a row. Returns whether there is one. */
export function clickMain(row: TableRow): boolean {
  return click(row.querySelector('[data-main] :is(a, button)'))
}

/** Opens the menu of a row. Returns whether it has one. */
export function clickMenu(row: TableRow): boolean {
  return click(row.querySelector('[data-controls] [aria-haspopup]'))
}

/** Clicks the control of a row that names the key in `aria-keyshortcuts`. Returns whether there is one. */
export function clickShortcut(row: TableRow, key: string, shiftKey: boolean): boolean {
  const keys = CSS.escape(`${shiftKey ? 'Shift+' : ''}${key.toUpperCase()}`)
  return click(row.querySelector(`[aria-keyshortcuts~="${keys}"]`), shiftKey)
}

function click(element: Element | null, shiftKey = false): boolean {
  element?.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, shiftKey }))
  return element !== null
}
