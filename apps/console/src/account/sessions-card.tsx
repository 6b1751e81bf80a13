import { Button } from '@mantine/core'
import type { OwnSession } from '@switchboard/contract/account'
import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { Badge } from '#src/ui/badge/badge.tsx'
import { Card } from '#src/ui/card/card.tsx'
import { LoadError } from '#src/ui/page/empty-state.tsx'
import { fullText, relativeText } from '#src/lib/format/moment.ts'
import { deviceLabel } from '@switchboard/contract/auth/device-label'
import { sessionsQuery, useEndOtherSessions, useEndSession } from './account.api.ts'
import css from './account.module.css'

/** The active sessions of the signed-in admin, with a button to end each. */
export function SessionsCard() {
  const sessions = useQuery(sessionsQuery)
  const list = useRef<HTMLUListElement>(null)
  // The pressed button disappears with its session.
  const focusList = () => list.current?.focus()
  const ending = useEndOtherSessions(focusList)
  const own = sessions.data?.filter((session) => session.is_current) ?? []
  const others = sessions.data?.filter((session) => !session.is_current) ?? []

  return (
    <Card
      title="Sessions"
      help="Where you are signed in. End any session you do not recognize, then change your password."
      action={
        others.length > 0 && (
          <Button variant="default" loading={ending.isPending} onClick={() => ending.mutate()}>
            End all others
          </Button>
        )
      }
    >
      {sessions.isLoadingError ? (
        <LoadError title="The sessions could not be loaded" queries={[sessions]} />
      ) : (
        <ul ref={list} tabIndex={-1} aria-label="Sessions" aria-busy={sessions.isPending}>
          {sessions.isPending && <li className={css.session}>Loading sessions...</li>}
          {[...own, ...others].map((session) => (
            <Session key={session.id} session={session} onEnded={focusList} />
          ))}
        </ul>
      )}
    </Card>
  )
}

function Session({ session, onEnded }: { session: OwnSession; onEnded: () => void }) {
  const ending = useEndSession(onEnded)
  const device = deviceLabel(session.user_agent)
  const seen = relativeText(session.last_seen_at)

  return (
    <li className={css.session}>
      <div className={css.about}>
        <div className={css.device}>
          {device}
          {session.is_current && <Badge tone="accent" text="This session" />}
        </div>
        <div className={css.seen}>
          {session.address ?? 'Unknown address'} ·{' '}
          <time dateTime={session.last_seen_at} data-tooltip={fullText(session.last_seen_at)}>
            last seen {seen}
          </time>{' '}
          ·{' '}
          <time dateTime={session.created_at} data-tooltip={fullText(session.created_at)}>
            signed in {relativeText(session.created_at)}
          </time>
        </div>
      </div>
      {!session.is_current && (
        <Button
          variant="default"
          size="compact-md"
          aria-label={`End the session of ${device}, last seen ${seen}`}
          loading={ending.isPending}
          onClick={() => ending.mutate({ id: session.id, device })}
        >
          End
        </Button>
      )}
    </li>
  )
}
