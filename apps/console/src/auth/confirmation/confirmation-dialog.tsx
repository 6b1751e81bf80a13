import { TextInput } from '@mantine/core'
import { CONFIRMED_MINUTES } from '@switchboard/contract/auth/confirmed'
import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { SIGN_ON_PATH } from '@switchboard/contract/single-sign-on/sign-on-path'
import { messageOf } from '#src/lib/call-error.ts'
import { consoleSettings } from '#src/lib/console-settings.ts'
import { endConfirmation } from '#src/lib/confirmation.ts'
import { lazyPart } from '#src/lib/lazy.tsx'
import { useSession } from '#src/lib/session.ts'
import { DialogForm } from '#src/ui/form/dialog-form.tsx'
import formCss from '#src/ui/form/form.module.css'
import { PasswordField } from '#src/ui/form/password-field.tsx'
import { useFormFrame } from '#src/ui/form/use-form-frame.ts'
import { confirmationChallengeQuery, confirmWithPassword } from './confirmation.api.ts'

const SecondFactorDialog = lazyPart(() => import('./second-factor-dialog.tsx').then((code) => code.SecondFactorDialog))

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
      <SecondFactorDialog challenge={challenge.data} onClose={onClose} />
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
      title="Confirm that it is you"
      size="sm"
      form={form}
      submit="Confirm"
      isGuarded={false}
      onClose={onClose}
    >
      <p>This action needs your password. You will not be asked again for {CONFIRMED_MINUTES} minutes.</p>
      {consoleSettings.sign_in !== 'password' && (
        // The session of the other tab is also the session of this page, and its sign-in counts as a confirmation.
        <p>
          <a href={SIGN_ON_PATH} target="_blank" rel="noreferrer">
            Sign in with single sign-on in a new tab
          </a>
          . Then cancel here and repeat the action.
        </p>
      )}
      <TextInput
        label="Email"
        value={session.kind === 'authenticated' ? session.admin.email : ''}
        autoComplete="username"
        classNames={{ input: formCss.readOnly }}
        readOnly
      />
      <PasswordField
        label="Password"
        autoComplete="current-password"
        data-autofocus
        {...form.getInputProps('password')}
      />
    </DialogForm>
  )
}
