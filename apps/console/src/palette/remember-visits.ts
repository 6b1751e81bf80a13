import type { RegisteredRouter } from '@tanstack/react-router'
import { lazyCode } from '#src/lib/load-code.ts'

const recent = lazyCode(() => import('./recent.ts'))

/**
 * Remembers each record whose page or drawer opens, so that the palette lists it before any text is typed. Returns the
 * end of it.
 */
export function rememberVisits(router: RegisteredRouter): () => void {
  function remember() {
    const search: Record<string, string | undefined> = router.state.location.search
    const params: Record<string, string | undefined> = router.state.matches.at(-1)?.params ?? {}
    const id = search.key ?? params.taskId ?? params.tenantId
    if (id === undefined) return
    recent().then(
      (code) => code.isRecordId(id) && code.remember(id),
      (error: unknown) => console.warn('The visit was not remembered.', error),
    )
  }

  // The first page may be open already.
  remember()
  return router.subscribe('onResolved', remember)
}
