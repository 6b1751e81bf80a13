import { Button } from '@mantine/core'
import { deviceLabel } from '@switchboard/contract/auth/device-label'
import type { MemberSession } from '@switchboard/contract/team'
import { Badge } from '#src/ui/badge/badge.tsx'
import { relativeText } from '#src/lib/format/moment.ts'
import { RelativeTime } from '#src/ui/time/relative-time.tsx'
import { Item } from './item.tsx'

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
  return (
    <Item
      title={
        <>
          {device}
          {isCurrent && <Badge tone="accent" text="This session" />}
        </>
      }
      facts={
        <>
          {session.address ?? 'Unknown address'} · last seen <RelativeTime moment={session.last_seen_at} />
          {' · '}
          signed in <RelativeTime moment={session.created_at} />
        </>
      }
    >
      {!isCurrent && (
        <Button
          variant="default"
          size="compact-md"
          aria-label={`End the session of ${device}, last seen ${relativeText(session.last_seen_at)}`}
          loading={isEnding}
          onClick={() => onEnd(device)}
        >
          End
        </Button>
      )}
    </Item>
  )
}
