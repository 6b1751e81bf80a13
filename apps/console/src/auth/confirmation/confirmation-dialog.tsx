import { CONFIRMED_MINUTES } from '@switchboard/contract/auth/confirmed'
import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { OwnPassword } from '#src/auth/own-password.tsx'
import { messageOf } from '#src/lib/call-error.ts'
import { endConfirmation } from '#src/lib/confirmation.ts'
import { lazyPart } from '#src/lib/lazy.tsx'
import { useSession } from '#src/lib/session.ts'
import { DialogForm } from '#src/ui/form/dialog-form.tsx'
import { useFormFrame } from '#src/ui/form/use-form-frame.ts'
import { confirmationChallengeQuery, confirmWithPassword, confirmWithSecondFactor } from './confirmation.api.ts'

const SecondStepDialog = lazyPart(() =>
  import('#src/auth/second-step-dialog.tsx').then((code) => code.SecondStepDialog),
)

/**
 * Asks for the second factor, or for the password if the account has none, before a sensitive action continues. Opens
 * over the page, form or dialog of the action.
 */
export function ConfirmationDialog({ onClose }: { onClose: () => void }) {
  const challenge = useQuery(confirmationChallengeQuery)
  if (challenge.isPending) return null
  if (!challenge.data) return <PasswordDialog onClose={onClose} />
  return (
    <Suspense>
      <SecondStepDialog
        title="Confirm That It Is You"
        cancel="Cancel"
        onClose={onClose}
        challenge={challenge.data}
        // A passkey that asks for neither a PIN nor a fingerprint is not enough by itself.
        needsPassword={challenge.data.passkey?.user_verification === 'preferred'}
        send={confirmWithSecondFactor}
        onEnded={onClose}
        onDone={() => endConfirmation(true)}
      >
        <p>This action needs your second factor. You will not be asked again for {CONFIRMED_MINUTES} minutes.</p>
      </SecondStepDialog>
    </Suspense>
  )
}

function PasswordDialog({ onClose }: { onClose: () => void }) {
  const session = useSession()
  const form = useFormFrame({
    initialValues: { password: '' },
    send: ({ password }) => confirmWithPassword(password),
    errorsOf: (error) => ({ password: messageOf(error, 'You could not be confirmed.') }),
    onSaved: () => endConfirmation(true),
    failure: 'You could not be confirmed.',
  })
  return (
    <DialogForm
      title="Confirm That It Is You"
      size="sm"
      form={form}
      submit="Confirm"
      isGuarded={false}
      onClose={onClose}
    >
      <p>This action needs your password. You will not be asked again for {CONFIRMED_MINUTES} minutes.</p>
      <OwnPassword
        email={session.kind === 'authenticated' ? session.admin.email : ''}
        afterSignOn=". Then cancel here and repeat the action."
        {...form.getInputProps('password')}
      />
    </DialogForm>
  )
}
