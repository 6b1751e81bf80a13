import { MantineProvider } from '@mantine/core'
import { RouterProvider } from '@tanstack/react-router'
import { startTransition, StrictMode, useEffect } from 'react'
import { createRoot } from 'react-dom/client'
import '@fontsource-variable/inter/wght.css'
import '@fontsource-variable/jetbrains-mono/wght.css'
import '#src/styles/tokens.css'
import '#src/styles/mantine.css'
import '#src/styles/base.css'
import '#src/styles/patterns.css'
import { watchConnection } from '#src/lib/connection.ts'
import { firstData } from '#src/lib/navigation/first-screen.ts'
import { endStart, lazyCode, removeFailedStylesheets } from '#src/lib/load-code.ts'
import { colorSchemeManager, theme } from '#src/ui/theme/theme.tsx'
import { watchReturns } from '#src/lib/navigation/returns.ts'
import { rememberVisits } from '#src/palette/remember-visits.ts'
import { router } from './router.tsx'
import { currentSession, onSessionChange, settledSession, startSession } from '#src/lib/session.ts'
import { isStorageAllowed } from '#src/lib/storage.ts'

const sessionApi = lazyCode(() => import('#src/auth/session.api.ts'))

const NO_STORAGE = "This console needs the browser's storage. Allow this site to store data, then reload the page."

const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no element with the id "root".')

removeFailedStylesheets()
if (isStorageAllowed()) start(root)
else {
  const heading = root.querySelector('.loading h1')
  if (heading !== null) heading.textContent = NO_STORAGE
}

function start(container: HTMLElement): void {
  watchConnection()
  // Routes depend on the session. An expired session keeps the page under the sign-in dialog.
  onSessionChange(() => {
    const session = currentSession()
    if (session.kind === 'loading' || (session.kind === 'authenticated' && session.isExpired)) return
    void router.invalidate()
  })
  startSession(async () => (await sessionApi()).fetchAdmin())
  // Until this settles, index.html shows its loading text.
  const ready = Promise.allSettled([router.load(), settledSession()]).then(firstData)
  void ready.then(() => {
    endStart()
    // A transition renders in slices, so that a slow phone can handle input between them.
    startTransition(() =>
      createRoot(container).render(
        <StrictMode>
          {/* The browser policy forbids the <style> elements of both flags: the colors are in styles/tokens.css. */}
          <MantineProvider
            theme={theme}
            colorSchemeManager={colorSchemeManager}
            defaultColorScheme="auto"
            withCssVariables={false}
            withGlobalClasses={false}
          >
            <Pages />
          </MantineProvider>
        </StrictMode>,
      ),
    )
  })
}

function Pages() {
  // Not earlier than the subscription of the router: the router follows a redirect by itself only while its history has no
  // subscriber at all.
  useEffect(() => watchReturns(router.history), [])
  useEffect(() => rememberVisits(router), [])
  return <RouterProvider router={router} />
}
