import { Button } from '@mantine/core'
import { deviceLabel } from '@switchboard/contract/auth/device-label'
import type { MemberSession } from '@switchboard/contract/team'
import { Badge } from '#src/ui/badge/badge.tsx'
import { fullText, relativeText } from '#src/lib/format/moment.ts'
import css from './session-item.module.css'

type Props = {
  session: MemberSession
  /** Whether it is the session of this page, which the button for signing out ends. */
  isCurrent?: boolean
  isEnding: boolean
  onEnd: (device: string) => void
}

/** A session of an account in a list, with a button to end it. */
export function SessionItem({ session, isCurrent = false, isEnding, onEnd }: Props) {
  const device = deviceLabel(session.user_agent)
  const seen = relativeText(session.last_seen_at)

  return (
    <li className={css.session}>
      <div className={css.about}>
        <div className={css.device}>
          {device}
          {isCurrent && <Badge tone="accent" text="This session" />}
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
      {!isCurrent && (
        <Button
          variant="default"
          size="compact-md"
          aria-label={`End the session of ${device}, last seen ${seen}`}
          loading={isEnding}
          onClick={() => onEnd(device)}
        >
          End
        </Button>
      )}
    </li>
  )
}
