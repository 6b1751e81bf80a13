import { Button } from '@mantine/core'
import type { Member } from '@switchboard/contract/team'
import {
  IconDevices,
  IconLock,
  IconMailForward,
  IconMailOff,
  IconShieldOff,
  IconTrash,
  IconUserCheck,
  IconUserOff,
  IconUserPlus,
  IconUserShield,
} from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { useHistoryAction } from '#src/ui/table/use-history-action.ts'
import { useCancelEmailChange, useResendEmailChange } from '#src/account/email-changes/email-changes.api.ts'
import { counted, countText } from '#src/lib/format/count.ts'
import { useAllowed } from '#src/lib/can.ts'
import { InvitationsSection } from '#src/team/invitations/invitations-section.tsx'
import { lazyPart } from '#src/lib/lazy.tsx'
import { useIsSelf } from '#src/lib/session.ts'
import { ListActions } from '#src/ui/list/list-actions.tsx'
import { Announcement } from '#src/ui/notice/announcement.tsx'
import { LoadError } from '#src/ui/page/empty-state.tsx'
import { Page } from '#src/ui/page/page.tsx'
import { DataTable } from '#src/ui/table/data-table.tsx'
import type { Action } from '#src/ui/table/action.ts'
import { teamQuery, useToggleMember } from './team.api.ts'
import css from './team-page.module.css'
import { MemberPhoneRow, TEAM_COLUMNS } from './team-table.tsx'

const InviteDialog = lazyPart(() => import('./invitations/invite-dialog.tsx').then((code) => code.InviteDialog))
const ChangeRoleDialog = lazyPart(() => import('./change-role-dialog.tsx').then((code) => code.ChangeRoleDialog))
const DeactivateMemberDialog = lazyPart(() =>
  import('./deactivate-member-dialog.tsx').then((code) => code.DeactivateMemberDialog),
)
const MemberPasswordDialog = lazyPart(() =>
  import('./member-password-dialog.tsx').then((code) => code.MemberPasswordDialog),
)
const MemberSessionsDialog = lazyPart(() =>
  import('./member-sessions-dialog.tsx').then((code) => code.MemberSessionsDialog),
)
const ResetSecondFactorDialog = lazyPart(() =>
  import('#src/account/second-factors/reset-second-factor-dialog.tsx').then((code) => code.ResetSecondFactorDialog),
)
const RemoveMemberDialog = lazyPart(() => import('./remove-member-dialog.tsx').then((code) => code.RemoveMemberDialog))

type Open =
  | { kind: 'none' | 'invite' }
  | { kind: 'role' | 'deactivate' | 'password' | 'sessions' | 'second factor' | 'remove'; member: Member }

/** The people who run the console: their roles, status and sessions. */
export function TeamPage() {
  const team = useQuery(teamQuery)
  const toggle = useToggleMember()
  const resend = useResendEmailChange()
  const cancel = useCancelEmailChange()
  const isSelf = useIsSelf()
  const allowed = useAllowed()
  const historyOf = useHistoryAction('user')
  const [open, setOpen] = useState<Open>({ kind: 'none' })
  const close = () => setOpen({ kind: 'none' })
  const total = team.data && counted(team.data.length, 'member')

  const newAddressActions = (pending: { id: string; newEmail: string }): Action[] => [
    {
      label: 'Send Link to New Address Again',
      Icon: IconMailForward,
      capability: 'team',
      onSelect: () => resend.mutate(pending),
    },
    { label: 'Cancel New Address', Icon: IconMailOff, capability: 'team', onSelect: () => cancel.mutate(pending) },
  ]

  const changesOf = (member: Member): Action[] => [
    {
      label: 'Change Role',
      shortcut: 'E',
      Icon: IconUserShield,
      capability: 'team',
      onSelect: () => setOpen({ kind: 'role', member }),
    },
    {
      id: 'toggle',
      label: member.is_active ? 'Deactivate' : 'Activate',
      Icon: member.is_active ? IconUserOff : IconUserCheck,
      capability: 'team',
      onSelect: () => (member.is_active ? setOpen({ kind: 'deactivate', member }) : toggle(member)),
    },
    ...(member.sign_in_methods.includes('single_sign_on') || !member.may_use_password
      ? [
          {
            label: member.may_use_password ? 'End Password' : 'Allow Password',
            Icon: IconLock,
            capability: 'team' as const,
            onSelect: () => setOpen({ kind: 'password', member }),
          },
        ]
      : []),
    {
      label: 'Sessions',
      Icon: IconDevices,
      capability: 'team',
      onSelect: () => setOpen({ kind: 'sessions', member }),
    },
    ...(member.email_change === null ? [] : newAddressActions({ id: member.id, newEmail: member.email_change.email })),
    ...(member.second_factors.length === 0
      ? []
      : [
          {
            label: 'Reset Second Factor',
            Icon: IconShieldOff,
            capability: 'team' as const,
            onSelect: () => setOpen({ kind: 'second factor', member }),
          },
        ]),
  ]

  return (
    <Page
      title="Team"
      count={team.data && countText(team.data.length)}
      subtitle="The people who run the console, and their roles"
      isList
      action={
        <ListActions title="Team" noun="members" query={team}>
          <Button
            leftSection={<IconUserPlus size={16} aria-hidden />}
            onPointerEnter={() => void InviteDialog.preload()}
            onClick={() => setOpen({ kind: 'invite' })}
          >
            Invite Person
          </Button>
        </ListActions>
      }
    >
      <Announcement>{team.isPending ? 'Loading members...' : total}</Announcement>
      {team.isLoadingError ? (
        <LoadError title="The team could not be loaded" queries={[team]} />
      ) : (
        <DataTable
          label="Team"
          columns={TEAM_COLUMNS}
          rows={team.data}
          rowId={({ id }) => id}
          nameOf={({ email }) => email}
          // Members change their own account in Settings.
          actionsOf={(member) =>
            allowed<Action>([
              ...(isSelf(member) ? [] : changesOf(member)),
              historyOf(member),
              ...(isSelf(member)
                ? []
                : [
                    {
                      label: 'Remove',
                      Icon: IconTrash,
                      capability: 'team' as const,
                      danger: true,
                      onSelect: () => setOpen({ kind: 'remove', member }),
                    },
                  ]),
            ])
          }
          onIntent={preloadDialogs}
          renderPhoneRow={(member) => <MemberPhoneRow member={member} />}
          footer={<p className={css.total}>{total}</p>}
        />
      )}
      {/* Rendered after the team, whose rows would otherwise push the invitations down. */}
      <div className={css.invitations}>{!team.isPending && <InvitationsSection />}</div>
      <Suspense>
        {open.kind === 'invite' && <InviteDialog onClose={close} />}
        {open.kind === 'role' && <ChangeRoleDialog member={open.member} onClose={close} />}
        {open.kind === 'deactivate' && (
          <DeactivateMemberDialog member={open.member} onDeactivate={() => toggle(open.member)} onClose={close} />
        )}
        {open.kind === 'password' && <MemberPasswordDialog member={open.member} onClose={close} />}
        {open.kind === 'sessions' && <MemberSessionsDialog member={open.member} onClose={close} />}
        {open.kind === 'second factor' && <ResetSecondFactorDialog user={open.member} onClose={close} />}
        {open.kind === 'remove' && <RemoveMemberDialog member={open.member} onClose={close} />}
      </Suspense>
    </Page>
  )
}

function preloadDialogs() {
  void ChangeRoleDialog.preload?.()
  void DeactivateMemberDialog.preload?.()
  void MemberPasswordDialog.preload?.()
  void MemberSessionsDialog.preload?.()
  void ResetSecondFactorDialog.preload?.()
  void RemoveMemberDialog.preload?.()
}
