import type { Query } from '@tanstack/react-query'
import { isDialogOpen, isMenuOpen } from '#src/lib/input/single-keys.ts'
import { queryClient } from '#src/lib/query-client.ts'
import { refreshInPlace } from '#src/lists/refresh-in-place.ts'

/** Changes that arrive within this time cause one refetch. */
const COLLECT_MS = 100
/** Minimum interval of the refetches, however many changes there are. */
const INTERVAL_MS = 1_000
/** How long a press of the pointer or of a key holds back new data: a click should meet what it was aimed at. */
const PRESS_MS = 300

/** Refetches the queries on screen that changes have touched, all at once, and not while it would disturb. Ends with `signal`. */
export function createRefresher(signal: AbortSignal): { touch: (roots: readonly string[]) => void } {
  const touched = new Set<string>()
  let isRunning = false
  let pressedAt = -Infinity
  const onPress = () => (pressedAt = performance.now())
  for (const name of ['pointerdown', 'pointerup', 'keydown'])
    document.addEventListener(name, onPress, { capture: true, passive: true, signal })
  const untilCalm = async () => {
    while (isDialogOpen() || isMenuOpen() || performance.now() - pressedAt < PRESS_MS) {
      await pause(COLLECT_MS)
      signal.throwIfAborted()
    }
  }

  async function run(): Promise<void> {
    isRunning = true
    while (touched.size > 0 && !signal.aborted) {
      await pause(COLLECT_MS)
      const roots = new Set<unknown>(touched)
      touched.clear()
      const shown = queryClient.getQueryCache().findAll({ type: 'active' })
      await Promise.all(
        shown.filter(({ queryKey: [root] }) => roots.has(root)).map((query) => refresh(query, untilCalm)),
      )
      await pause(INTERVAL_MS)
    }
    isRunning = false
  }

  return {
    touch: (roots) => {
      for (const root of roots) touched.add(root)
      if (!isRunning) void run()
    },
  }
}

/** A query that is kept for long on purpose, such as the options of an open form, is left alone. */
async function refresh(query: Query, untilCalm: () => Promise<void>): Promise<void> {
  const staleTime = query.observers[0]?.options.staleTime
  if (typeof staleTime === 'number' && staleTime > INTERVAL_MS) return
  try {
    await refreshInPlace(query, untilCalm)
  } catch (error) {
    console.warn('A change by others could not be shown.', error)
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
