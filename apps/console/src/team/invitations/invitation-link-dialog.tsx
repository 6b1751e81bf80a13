import { INVITATION_HOURS } from '@switchboard/contract/links'
import { SecretDialog } from '#src/ui/dialog/secret-dialog.tsx'

/** Shows the link of an invitation once. */
export function InvitationLinkDialog({ email, link, onDone }: { email: string; link: string; onDone: () => void }) {
  return (
    <SecretDialog
      title="Invitation Link"
      noun="link"
      secret={link}
      hint={`Pass it on through a channel that only the two of you read. It works once and for ${INVITATION_HOURS} hours.`}
      onDone={onDone}
    >
      With this link, <strong>{email}</strong> chooses a password and gets the account.
    </SecretDialog>
  )
}
