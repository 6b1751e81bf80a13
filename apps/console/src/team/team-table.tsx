import type { Member } from '@switchboard/contract/team'
import { countText } from '#src/lib/format/count.ts'
import { pendingText } from '#src/account/email-changes/email-change-labels.ts'
import { useSession } from '#src/lib/session.ts'
import { Badge } from '#src/ui/badge/badge.tsx'
import type { Column } from '#src/ui/table/column.ts'
import { PhoneRow } from '#src/ui/table/phone-row.tsx'
import { Day } from '#src/ui/time/day.tsx'
import { RelativeTime } from '#src/ui/time/relative-time.tsx'
import { ROLE_LABELS } from '#src/users/role-labels.ts'
import { secondFactorsText, sessionsText, signInText } from './member-labels.ts'
import css from './team-table.module.css'

export const TEAM_COLUMNS: Column<Member>[] = [
  { head: 'Email', cell: (member) => <Email member={member} />, skeleton: '65%' },
  { head: 'Role', cell: ({ role }) => <Badge tone="outline" text={ROLE_LABELS[role]} /> },
  { head: 'Status', cell: (member) => <StatusBadge member={member} />, skeleton: '64px' },
  {
    head: 'Sign-in',
    cell: (member) => <SignIn member={member} />,
    visibleFrom: 'medium',
    skeleton: '80px',
  },
  {
    head: 'Last sign-in',
    cell: (member) => <LastSignIn member={member} />,
    visibleFrom: 'medium',
    skeleton: '60px',
  },
  {
    head: 'Open sessions',
    cell: ({ open_session_count }) => countText(open_session_count),
    align: 'end',
    visibleFrom: 'medium',
    skeleton: '20px',
  },
  {
    head: 'Created At',
    cell: ({ created_at }) => <Day moment={created_at} />,
    visibleFrom: 'wide',
    skeleton: '80px',
  },
]

/** A member on a phone. */
export function MemberPhoneRow({ member }: { member: Member }) {
  return (
    <PhoneRow
      name={<Email member={member} />}
      badge={<StatusBadge member={member} />}
      facts={[ROLE_LABELS[member.role], signInText(member), secondFactorsText(member), sessionsText(member)]}
    />
  )
}

/** Returns whether a member is the signed-in admin. */
export function useIsSelf(): (member: Member) => boolean {
  const session = useSession()
  return ({ id }) => session.kind === 'authenticated' && session.admin.id === id
}

/** The second line of a long address begins with the "@". */
function Email({ member }: { member: Member }) {
  const isSelf = useIsSelf()
  const [before, domain] = member.email.split(/(?=@)/)
  const { email_change } = member
  return (
    <>
      <div className={css.email}>
        <span className={css.name} data-tooltip="cut">
          {before}
          <wbr />
          {domain}
        </span>
        {isSelf(member) && <span className={css.you}>You</span>}
      </div>
      {email_change && <div className={css.pending}>{pendingText(email_change)}</div>}
    </>
  )
}

function SignIn({ member }: { member: Member }) {
  return (
    <>
      {signInText(member)}
      <div className={css.secondFactor}>{secondFactorsText(member)}</div>
    </>
  )
}

function StatusBadge({ member: { is_active } }: { member: Member }) {
  return <Badge tone={is_active ? 'ok' : 'bad'} text={is_active ? 'Active' : 'Inactive'} dot />
}

function LastSignIn({ member: { last_sign_in_at } }: { member: Member }) {
  return last_sign_in_at === null ? 'Never' : <RelativeTime moment={last_sign_in_at} />
}
