import { Button } from '@mantine/core'
import type { OwnSession } from '@switchboard/contract/account'
import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { LoadError } from '#src/ui/page/empty-state.tsx'
import { Page } from '#src/ui/page/page.tsx'
import { sessionsQuery, useEndOtherSessions, useEndSession } from './account.api.ts'
import css from './account.module.css'
import { SessionItem } from '#src/ui/list/session-item.tsx'

/** The active sessions of the signed-in admin, with a button to end each. */
export function SessionsPage() {
  const sessions = useQuery(sessionsQuery)
  const list = useRef<HTMLUListElement>(null)
  // The pressed button disappears with its session.
  const focusList = () => list.current?.focus()
  const ending = useEndOtherSessions(focusList)
  const own = sessions.data?.filter((session) => session.is_current) ?? []
  const others = sessions.data?.filter((session) => !session.is_current) ?? []

  return (
    <div className={css.narrow}>
      <Page
        title="Sessions"
        subtitle="Where you are signed in"
        action={
          others.length > 0 && (
            <Button variant="default" loading={ending.isPending} onClick={() => ending.mutate()}>
              End All Others
            </Button>
          )
        }
      >
        {sessions.isLoadingError ? (
          <LoadError title="The sessions could not be loaded" queries={[sessions]} />
        ) : (
          <ul ref={list} className={css.sessions} tabIndex={-1} aria-label="Sessions" aria-busy={sessions.isPending}>
            {sessions.isPending && <li className={css.loading}>Loading sessions...</li>}
            {[...own, ...others].map((session) => (
              <EndableSession key={session.id} session={session} onEnded={focusList} />
            ))}
          </ul>
        )}
        <p className="note">End any session you do not recognize, then change your password.</p>
      </Page>
    </div>
  )
}

function EndableSession({ session, onEnded }: { session: OwnSession; onEnded: () => void }) {
  const ending = useEndSession(onEnded)
  return (
    <SessionItem
      session={session}
      isCurrent={session.is_current}
      isEnding={ending.isPending}
      onEnd={(device) => ending.mutate({ id: session.id, device })}
    />
  )
}
