/**
 * A deploy removes the script files of the version before it; an open page then fails to load the ones it lacks.
 * Reloads the page for such an error and returns true; only once per file, so that it never loops.
 */
export function reloadForNewVersion(error: unknown): boolean {
  if (!isMissingFile(error) || !navigator.onLine) return false
  // The router's lazy components reload by themselves and remember it under this key, so that together it is once.
  const key = `tanstack_router_reload:${error.message}`
  if (sessionStorage.getItem(key) !== null) return false
  sessionStorage.setItem(key, '1')
  window.location.reload()
  return true
}

/** Whether a file of the console could not be loaded: the words of Chromium, Firefox, Safari and, for styles, Vite. */
export function isMissingFile(error: unknown): error is Error {
  return (
    error instanceof Error &&
    /dynamically imported module|importing a module script failed|unable to preload css/i.test(error.message)
  )
}
