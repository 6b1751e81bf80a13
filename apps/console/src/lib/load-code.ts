import { CallError, UNREACHABLE } from './call-error.ts'
import { checkConnection, hasJustAnswered } from './connection.ts'

/** All lazy code in order of definition, for `loadWhenIdle`. */
const all = new Set<() => Promise<unknown>>()
// While the first screen loads, the server has just answered with the page: no check needed.
let isStarting = true

/**
 * Returns a function that imports code once. Throws a `CallError` with status 0 if the server does not answer. This
 * check comes before the import: after a failed import, Chromium requests the script again only after a page reload.
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

/** Marks the first screen as shown. */
export function endStart(): void {
  isStarting = false
}

/**
 * Preloads the code of every screen and dialog when the browser is idle, for use while the server is away. Skipped if
 * the browser saves data. Stops at the first failure.
 */
export async function loadWhenIdle(): Promise<void> {
  if (isSavingData()) return
  try {
    // A loaded screen defines its dialogs. Iteration over a Set includes entries added during the iteration.
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
 * A deploy may remove script files of earlier versions: an open page then fails to load missing files, although the
 * server answers. Reloads the page for such an error and returns true. Only once per file, to prevent a reload loop.
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
 * Removes the links of failed stylesheets. Vite's preload treats a stylesheet with a link in the page as loaded, so a
 * retry would show the part unstyled.
 */
export function removeFailedStylesheets(): void {
  // `error` events of elements do not bubble; a capturing listener receives these events.
  document.addEventListener(
    'error',
    ({ target }) => {
      if (target instanceof HTMLLinkElement && target.rel === 'stylesheet') target.remove()
    },
    true,
  )
}

/** Whether a file of the console failed to load, by the messages of Chromium, Firefox, Safari and (styles) Vite. */
export function isMissingFile(error: unknown): error is Error {
  return (
    error instanceof Error &&
    /dynamically imported module|importing a module script failed|unable to preload css/i.test(error.message)
  )
}
