/** A second press of a key within this time repeats the first by accident. */
const DOUBLE_KEY_MS = 400

let startedChanges = 0
/** The last click that was not the second of a double click: its button or link, its time and the changes before it. */
let first: { control: Element | null; isByKey: boolean; at: number; changes: number } = {
  control: null,
  isByKey: false,
  at: 0,
  changes: 0,
}

/** Called at the start of every change. */
export function noteChange(): void {
  startedChanges += 1
}

/**
 * Ignores the second click of a double click, and a repeated key, after the first one started a change or replaced its
 * button. Other double clicks, for example on "Next", count twice. Returns a function that removes the listeners.
 */
export function ignoreDoubleClicks(): () => void {
  const listeners = new AbortController()
  const options = { capture: true, signal: listeners.signal }
  window.addEventListener('click', onClick, options)
  window.addEventListener('keydown', onKeyDown, options)
  return () => listeners.abort()
}

function onClick(event: MouseEvent): void {
  const control = controlOf(event)
  const isByKey = event.detail === 0
  // A key press after a click is intended: Enter in a field also clicks the button of its form.
  const isSecond = isByKey
    ? first.isByKey && event.timeStamp - first.at < DOUBLE_KEY_MS && control === first.control
    : event.detail > 1
  const hasEffect = startedChanges !== first.changes || (!isByKey && control !== first.control)
  if (isSecond && first.control !== null && hasEffect) {
    event.preventDefault()
    event.stopImmediatePropagation()
  } else {
    first = { control, isByKey, at: event.timeStamp, changes: startedChanges }
  }
}

/** While Enter is held down, the browser clicks a button again and again. */
function onKeyDown(event: KeyboardEvent): void {
  if (event.repeat && event.key === 'Enter' && controlOf(event) !== null) event.preventDefault()
}

function controlOf({ target }: Event): Element | null {
  return target instanceof Element ? target.closest('button, a[href]') : null
}
