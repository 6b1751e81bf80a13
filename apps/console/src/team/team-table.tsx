import type { Member } from '@switchboard/contract/team'
import { countText } from '#src/lib/format/count.ts'
import { pendingText } from '#src/account/email-changes/email-change-labels.ts'
import { useIsSelf } from '#src/lib/session.ts'
import { Badge } from '#src/ui/badge/badge.tsx'
import type { Column } from '#src/ui/table/column.ts'
import { Person } from '#src/ui/person/person.tsx'
import { PhoneRow } from '#src/ui/table/phone-row.tsx'
import { RelativeTime } from '#src/ui/time/relative-time.tsx'
import { ROLE_LABELS } from '#src/users/role-labels.ts'
import { hasOnlyPassword, secondFactorsText, signInText } from './member-labels.ts'
import css from './team-table.module.css'

export const TEAM_COLUMNS: Column<Member>[] = [
  { head: 'Email', cell: (member) => <MemberPerson member={member} />, skeleton: '65%' },
  { head: 'Role', cell: ({ role }) => <Badge tone="outline" text={ROLE_LABELS[role]} /> },
  { head: 'Status', cell: (member) => <StatusBadge member={member} />, skeleton: '64px' },
  {
    head: 'Sign-in',
    cell: signInText,
    visibleFrom: 'medium',
    skeleton: '80px',
  },
  { head: 'Second factor', cell: (member) => <SecondFactor member={member} />, skeleton: '80px' },
  {
    head: 'Last sign-in',
    cell: (member) => <LastSignIn member={member} />,
    visibleFrom: 'laptop',
    skeleton: '60px',
  },
  {
    head: 'Sessions',
    cell: ({ open_session_count }) => countText(open_session_count),
    align: 'end',
    visibleFrom: 'wide',
    skeleton: '20px',
  },
]

/** A member on a phone. */
export function MemberPhoneRow({ member }: { member: Member }) {
  return (
    <PhoneRow
      name={<MemberPerson member={member} />}
      badge={<StatusBadge member={member} />}
      facts={[
        ROLE_LABELS[member.role],
        hasOnlyPassword(member) ? <SecondFactor key="second factor" member={member} /> : signInText(member),
      ]}
    />
  )
}

function MemberPerson({ member }: { member: Member }) {
  const isSelf = useIsSelf()
  const { name, email, email_change } = member
  return (
    <>
      <Person name={name} email={email} isSelf={isSelf(member)} />
      {email_change && <div className={css.pending}>{pendingText(email_change)}</div>}
    </>
  )
}

function SecondFactor({ member }: { member: Member }) {
  const { second_factors, sign_in_methods } = member
  if (hasOnlyPassword(member)) return <Badge tone="warn" text="No second factor" dot />
  if (second_factors.length > 0) return secondFactorsText(second_factors)
  return sign_in_methods.includes('single_sign_on') ? 'At the provider' : 'None yet'
}

function StatusBadge({ member: { is_active } }: { member: Member }) {
  return <Badge tone={is_active ? 'ok' : 'bad'} text={is_active ? 'Active' : 'Inactive'} dot />
}

function LastSignIn({ member: { last_sign_in_at } }: { member: Member }) {
  return last_sign_in_at === null ? 'Never' : <RelativeTime moment={last_sign_in_at} />
}
