import { Button } from '@mantine/core'
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { useEffect, useEffectEvent } from 'react'
import { CallError, messageOf } from '#src/lib/call-error.ts'
import { isConnectionLost, onConnectionChange } from '#src/lib/connection.ts'
import { isMissingFile, reloadForNewVersion } from '#src/lib/load-code.ts'
import { currentSession, loadSession } from '#src/lib/session.ts'
import { FullPage } from '#src/ui/page/full-page.tsx'

/** Error page for failures while loading or rendering a page, with ways to continue. */
export function CrashPage({ error, reset }: ErrorComponentProps) {
  const isUnreachable = error instanceof CallError && error.status === 0
  const router = useRouter()
  const tryAgainOnReturn = useEffectEvent(() => {
    if (isUnreachable && !isConnectionLost()) void tryAgain()
  })
  useEffect(() => onConnectionChange(tryAgainOnReturn), [])
  if (reloadForNewVersion(error)) return null

  async function tryAgain() {
    // The server answers, but some browsers cache a failed import for the lifetime of the page.
    if (isMissingFile(error)) return window.location.reload()
    if (currentSession().kind === 'unreachable') await loadSession()
    await router.invalidate()
    reset()
  }

  return (
    <FullPage
      title={isUnreachable ? 'The server cannot be reached' : 'Something went wrong'}
      text={
        isUnreachable
          ? 'This page opens as soon as the server answers. Nothing that was saved is lost.'
          : messageOf(error, 'This page could not be shown. Nothing that was saved is lost.')
      }
      isAlert
    >
      <Button onClick={() => void tryAgain()}>Try Again</Button>
      {/* A full page load drops the state that caused the error. */}
      {!isUnreachable && (
        <Button component="a" href="/" variant="default">
          Start Page
        </Button>
      )}
    </FullPage>
  )
}
