import { TextInput } from '@mantine/core'
import { useState } from 'react'
import type { SignInChallenge } from '@switchboard/contract/auth/challenge'
import { SIGN_ON_PATH } from '@switchboard/contract/single-sign-on/sign-on-path'
import { messageOf } from '#src/lib/call-error.ts'
import { consoleSettings } from '#src/lib/console-settings.ts'
import { queryClient } from '#src/lib/query-client.ts'
import { leaveExpiredSession } from '#src/lib/session.ts'
import { DialogForm } from '#src/ui/form/dialog-form.tsx'
import formCss from '#src/ui/form/form.module.css'
import { PasswordField } from '#src/ui/form/password-field.tsx'
import { useFormFrame } from '#src/ui/form/use-form-frame.ts'
import { SecondStepDialog } from './second-step-dialog.tsx'
import { signIn } from './sign-in.api.ts'

/** Signs the same admin in again, over a page with unsaved changes. */
export function SignInDialog({ email }: { email: string }) {
  const [challenge, setChallenge] = useState<SignInChallenge | null>(null)
  const form = useFormFrame({
    initialValues: { password: '' },
    send: ({ password }) => signIn(email, password),
    errorsOf: (error) => ({ password: messageOf(error, 'Login failed') }),
    onSaved: (asked) => {
      setChallenge(asked)
      if (asked === null) void queryClient.invalidateQueries()
    },
    failure: 'Login failed',
  })
  function endChallenge(text: string) {
    setChallenge(null)
    form.setMessage({ kind: 'failed', text })
  }
  if (challenge !== null) return <SecondStepDialog challenge={challenge} onEnded={endChallenge} />
  return (
    <DialogForm
      title="Your session has ended"
      size="sm"
      closable={false}
      form={form}
      submit="Sign in"
      cancel="Discard changes"
      onClose={leaveExpiredSession}
    >
      <p>Sign in again to keep your changes, then save.</p>
      {consoleSettings.sign_in !== 'password' && (
        // The session of the other tab is also the session of this page.
        <p>
          <a href={SIGN_ON_PATH} target="_blank" rel="noreferrer">
            Sign in with single sign-on in a new tab
          </a>
        </p>
      )}
      <TextInput
        label="Email"
        value={email}
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
