import type { Member } from '@switchboard/contract/team'
import { notify } from '#src/lib/notify.ts'
import { ConfirmDialog } from '#src/ui/dialog/confirm-dialog.tsx'
import { useUpdateMember } from './team.api.ts'

/** Asks before a member is allowed to use a password besides single sign-on, or is no longer allowed to. */
export function MemberPasswordDialog({ member, onClose }: { member: Member; onClose: () => void }) {
  const update = useUpdateMember()
  const { email, may_use_password: mayUse } = member

  async function confirm() {
    await update.mutateAsync({ member, body: { may_use_password: !mayUse } })
    onClose()
    notify('ok', mayUse ? `${email} signs in with single sign-on only.` : `${email} may also use a password.`, {
      about: member.id,
    })
  }

  return (
    <ConfirmDialog
      title={mayUse ? 'End Password' : 'Allow Password'}
      tone="warning"
      confirmLabel={mayUse ? 'End Password' : 'Allow Password'}
      failure="The permission was not changed."
      onConfirm={confirm}
      onClose={onClose}
    >
      {mayUse ? (
        <p>
          <strong>{email}</strong> can then sign in with single sign-on only. Their password, and the sessions and links
          that go with it, end at once.
        </p>
      ) : (
        <p>
          <strong>{email}</strong> can then choose a password with "Forgot password?", and sign in without the identity
          provider. If the identity provider removes them, remove them here too.
        </p>
      )}
    </ConfirmDialog>
  )
}
