import { CatchBoundary } from '@tanstack/react-router'
import { createElement, type ReactNode, use, useEffect, useRef, useState } from 'react'
import { CallError } from './call-error.ts'
import { lazyCode, reloadForNewVersion } from './load-code.ts'
import { dismiss, notify } from './notify.ts'

type Component<Props> = (props: Props) => ReactNode
type Lazy<Props> = Component<Props> & { preload: () => Promise<void> }

/**
 * A lazy-loaded component: loads on `preload` or on first render. Replaces the router's `lazyRouteComponent`, because
 * `lazyRouteComponent` reloads the page for a missing file. The next error boundary gets the import's error.
 */
export function lazyPage<Props extends object>(load: () => Promise<Component<Props>>): Lazy<Props> {
  const getComponent = lazyCode(load)
  let component: Component<Props> | undefined
  let loading: Promise<void> | undefined
  let failure: { error: unknown } | undefined

  async function start() {
    failure = undefined
    try {
      component = await getComponent()
    } catch (error) {
      failure = { error }
    }
  }
  const preload = async () => {
    if (failure !== undefined) loading = undefined
    if (component === undefined) await (loading ??= start())
  }
  /** Shows the fallback of the nearest `Suspense` until the code is there. React demands the same `use` in each render. */
  function WaitingPage(props: Props) {
    use((loading ??= start()))
    if (failure !== undefined) throw failure.error
    return component === undefined ? null : createElement(component, props)
  }
  function LazyPage(props: Props) {
    // The choice of the first render stays, because another component would begin with empty fields.
    const [Page] = useState(() => component ?? WaitingPage)
    return createElement(Page, props)
  }
  return Object.assign(LazyPage, { preload })
}

/**
 * A lazy-loaded part of a page, such as a dialog. If loading fails, the page stays as before, and a notification offers
 * to try again.
 */
export function lazyPart<Props extends { [name: string]: unknown; onClose?: () => void }>(
  load: () => Promise<Component<Props>>,
): Lazy<Props> {
  const Lazy = lazyPage(load)
  function LazyPart(props: Props) {
    const [isFailed, setIsFailed] = useState(false)
    const shown = useRef(0)
    useEffect(() => () => dismiss(shown.current), [])

    function retry() {
      void Lazy.preload()
      setIsFailed(false)
    }
    function fail(error: unknown) {
      if (reloadForNewVersion(error)) return
      setIsFailed(true)
      const text = error instanceof CallError ? error.message : 'This part of the page could not be shown.'
      shown.current = notify('bad', text, { onRetry: retry, onDismiss: () => props.onClose?.() })
    }
    if (isFailed) return null
    return (
      <CatchBoundary getResetKey={() => 0} errorComponent={Nothing} onCatch={fail}>
        <Lazy {...props} />
      </CatchBoundary>
    )
  }
  return Object.assign(LazyPart, { preload: Lazy.preload })
}

function Nothing() {
  return null
}
