import { Button } from '@mantine/core'
import type { Invitation } from '@switchboard/contract/invitations'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { consoleSettings } from '#src/lib/console-settings.ts'
import { lazyPart } from '#src/lib/lazy.tsx'
import { notify, notifyFailure } from '#src/lib/notify.ts'
import { serverNow } from '#src/lib/server-clock.ts'
import { Badge } from '#src/ui/badge/badge.tsx'
import { Card } from '#src/ui/card/card.tsx'
import { Item } from '#src/ui/list/item.tsx'
import { LoadError } from '#src/ui/page/empty-state.tsx'
import { RelativeTime } from '#src/ui/time/relative-time.tsx'
import { ROLE_LABELS } from '#src/users/role-labels.ts'
import { invitationBadge } from './invitation-labels.ts'
import { invitationsQuery, useResend } from './invitations.api.ts'

const InvitationLinkDialog = lazyPart(() =>
  import('./invitation-link-dialog.tsx').then((code) => code.InvitationLinkDialog),
)
const WithdrawInvitationDialog = lazyPart(() =>
  import('./withdraw-invitation-dialog.tsx').then((code) => code.WithdrawInvitationDialog),
)

type Open =
  | { kind: 'none' }
  | { kind: 'withdraw'; invitation: Invitation }
  | { kind: 'link'; email: string; link: string }
const NONE: Open = { kind: 'none' }

/** The pending invitations with the state of their mails. Nothing without one. */
export function InvitationsSection() {
  const invitations = useQuery(invitationsQuery)
  const [open, setOpen] = useState<Open>(NONE)
  const close = () => setOpen(NONE)
  const hasNone = invitations.data === undefined ? !invitations.isLoadingError : invitations.data.length === 0
  if (hasNone && open.kind === 'none') return null

  return (
    <Card
      title="Pending invitations"
      help="Each link works once. A person who accepts chooses a password and then signs in."
    >
      {invitations.isLoadingError ? (
        <LoadError plain title="The invitations could not be loaded" queries={[invitations]} />
      ) : (
        <ul aria-label="Pending invitations">
          {invitations.data?.map((invitation) => (
            <PendingInvitation key={invitation.id} invitation={invitation} onOpen={setOpen} />
          ))}
        </ul>
      )}
      <Suspense>
        {open.kind === 'withdraw' && <WithdrawInvitationDialog invitation={open.invitation} onClose={close} />}
        {open.kind === 'link' && <InvitationLinkDialog email={open.email} link={open.link} onDone={close} />}
      </Suspense>
    </Card>
  )
}

function PendingInvitation({ invitation, onOpen }: { invitation: Invitation; onOpen: (open: Open) => void }) {
  const { email, role, invited_by, created_at, expires_at, mail_problem } = invitation
  const resend = useResend()
  const again = consoleSettings.mail ? 'Send Again' : 'New Link'

  async function sendAgain() {
    try {
      const { link } = await resend.mutateAsync(invitation)
      if (link !== null) return onOpen({ kind: 'link', email, link })
      notify('ok', `The invitation to ${email} is on its way again.`)
    } catch (error) {
      notifyFailure(error, `The invitation to ${email} could not be sent again.`, {
        about: invitation.id,
        onRetry: () => void sendAgain(),
      })
    }
  }

  return (
    <Item
      title={
        <>
          <bdi>{email}</bdi>
          <Badge tone="neutral" text={ROLE_LABELS[role]} />
          <Badge {...invitationBadge(invitation, serverNow())} dot />
        </>
      }
      facts={
        <>
          Invited by <bdi>{invited_by}</bdi> <RelativeTime moment={created_at} />
          {' · '}
          {Date.parse(expires_at) > serverNow() ? 'ends' : 'ended'} <RelativeTime moment={expires_at} />
          {mail_problem !== null && <div className="ink-2">{mail_problem}</div>}
        </>
      }
    >
      <div className="buttons">
        <Button
          variant="default"
          size="compact-md"
          aria-label={`${again}: ${email}`}
          loading={resend.isPending}
          onClick={() => void sendAgain()}
        >
          {again}
        </Button>
        <Button
          variant="default"
          size="compact-md"
          aria-label={`Withdraw: ${email}`}
          disabled={resend.isPending}
          onClick={() => onOpen({ kind: 'withdraw', invitation })}
        >
          Withdraw
        </Button>
      </div>
    </Item>
  )
}
