import { RouterProvider } from '@tanstack/react-router'
import { startTransition, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import '#src/lib/zod-without-eval.ts'
import '#src/styles/tokens.css'
import '#src/styles/mantine.css'
import '#src/styles/base.css'
import { followColorScheme } from '#src/lib/color-scheme.ts'
import { watchConnection } from '#src/lib/connection.ts'
import { endStart, removeFailedStylesheets } from '#src/lib/load-code.ts'
import { ThemeProvider } from '#src/lib/theme.tsx'
import { router } from '#src/router.tsx'
import { currentSession, onSessionChange, settledSession, startSession } from '#src/lib/session.ts'

const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no element with the id "root".')

followColorScheme()
removeFailedStylesheets()
watchConnection()
// Routes depend on the session. An expired session keeps the page under the sign-in dialog.
onSessionChange(() => {
  const session = currentSession()
  if (session.kind === 'loading' || (session.kind === 'authenticated' && session.isExpired)) return
  void router.invalidate()
})
startSession()
// Until there is something to show, index.html says that it loads.
void Promise.allSettled([router.load(), settledSession()]).then(() => {
  endStart()
  // In pieces, between which a phone can answer.
  startTransition(() =>
    createRoot(root).render(
      <StrictMode>
        <ThemeProvider>
          <RouterProvider router={router} />
        </ThemeProvider>
      </StrictMode>,
    ),
  )
})
