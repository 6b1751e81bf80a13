import { CallError, UNREACHABLE } from './call-error.ts'
import { checkConnection, hasJustAnswered } from './connection.ts'

/** All lazy code, in the order of its definition: `loadWhenIdle` loads it. */
const all = new Set<() => Promise<unknown>>()
// While the first screen is loaded, the page itself has just come from the server.
let isStarting = true

/**
 * A function that loads code by a dynamic import, once. It throws a `CallError` of status 0 when the server does not answer,
 * and finds that out before the import: Chromium asks for a script that did not arrive only after a reload of the page.
 */
export function lazyCode<Code>(load: () => Promise<Code>): () => Promise<Code> {
  let loaded: Promise<Code> | undefined
  async function loadAfter(isServerUp: () => boolean | Promise<boolean>): Promise<Code> {
    if (loaded !== undefined) return loaded
    if (!(await isServerUp())) throw new CallError(UNREACHABLE, { status: 0 })
    try {
      const code = await load()
      loaded = Promise.resolve(code)
      return code
    } catch (error) {
      if (isMissingFile(error) && !(await checkConnection())) throw new CallError(UNREACHABLE, { status: 0 })
      throw error
    }
  }
  all.add(() => loadAfter(() => hasJustAnswered() || checkConnection()))
  return () => loadAfter(() => isStarting || checkConnection())
}

/** Tells that the first screen is shown. */
export function endStart(): void {
  isStarting = false
}

/**
 * Loads the code of every screen and dialog, one after the other, whenever the browser is idle: it can then be used while
 * the server is away. It does nothing where the browser saves data, and stops when something cannot be loaded.
 */
export async function loadWhenIdle(): Promise<void> {
  if (isSavingData()) return
  try {
    // A screen defines its dialogs when its code arrives, and a Set yields what is added while it is walked.
    for (const load of all) {
      await idle()
      await load()
    }
    performance.mark('all-code-loaded')
  } catch (error) {
    console.warn('Not all code could be loaded ahead.', error)
  }
}

function isSavingData(): boolean {
  const connection: unknown = Reflect.get(navigator, 'connection')
  return typeof connection === 'object' && connection !== null && Reflect.get(connection, 'saveData') === true
}

/** Safari has no `requestIdleCallback`. */
function idle(): Promise<unknown> {
  return new Promise((resolve) =>
    'requestIdleCallback' in window ? requestIdleCallback(resolve) : setTimeout(resolve, 200),
  )
}

/**
 * A deploy may remove the script files of earlier versions; an open page then fails to load the ones it lacks, although
 * the server answers. Reloads the page for such an error and returns true; only once per file, so that it never loops.
 */
export function reloadForNewVersion(error: unknown): boolean {
  if (!isMissingFile(error)) return false
  const key = `reloaded_for:${error.message}`
  if (sessionStorage.getItem(key) !== null) return false
  sessionStorage.setItem(key, '1')
  window.location.reload()
  return true
}

/**
 * Removes the links of stylesheets that did not arrive. Vite's preload takes a stylesheet whose link is in the page for
 * loaded, so without this a second attempt would show a part without its style.
 */
export function removeFailedStylesheets(): void {
  // `error` events of elements do not bubble, they are only captured.
  document.addEventListener(
    'error',
    ({ target }) => {
      if (target instanceof HTMLLinkElement && target.rel === 'stylesheet') target.remove()
    },
    true,
  )
}

/** Whether a file of the console could not be loaded: the words of Chromium, Firefox, Safari and, for styles, Vite. */
export function isMissingFile(error: unknown): error is Error {
  return (
    error instanceof Error &&
    /dynamically imported module|importing a module script failed|unable to preload css/i.test(error.message)
  )
}
