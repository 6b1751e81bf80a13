import { Button } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { messageOf } from '#src/lib/call-error.ts'
import { isMissingFile, reloadForNewVersion } from '#src/lib/chunk-reload.ts'
import { consoleSettings } from '#src/lib/console-settings.ts'
import { currentSession, loadSession } from '#src/session/session.ts'
import css from './full-page.module.css'

/** For whatever broke while a page was loaded or shown. It never leaves people without a way on. */
export function CrashPage({ error, reset }: ErrorComponentProps) {
  useDocumentTitle(`Something went wrong · ${consoleSettings.brand_name}`)
  const router = useRouter()
  if (reloadForNewVersion(error)) return null

  async function tryAgain() {
    // Some browsers remember that a script was missing for as long as the page lives.
    if (isMissingFile(error)) return window.location.reload()
    if (currentSession().kind === 'unreachable') await loadSession()
    reset()
    await router.invalidate()
  }

  return (
    <main id="content" className={css.page} tabIndex={-1}>
      <h1 className={css.title}>Something went wrong</h1>
      <p className={css.text} role="alert">
        {messageOf(error, 'This page could not be shown. Nothing that was saved is lost.')}
      </p>
      <div className={css.actions}>
        <Button onClick={() => void tryAgain()}>Try again</Button>
        {/* A whole new load: whatever broke the page is not carried over. */}
        <Button component="a" href="/" variant="default">
          Start page
        </Button>
      </div>
    </main>
  )
}
