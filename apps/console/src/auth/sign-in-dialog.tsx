import { useState } from 'react'
import type { SignInChallenge } from '@switchboard/contract/auth/challenge'
import { messageOf } from '#src/lib/call-error.ts'
import { queryClient } from '#src/lib/query-client.ts'
import { leaveExpiredSession } from '#src/lib/session.ts'
import { DialogForm } from '#src/ui/form/dialog-form.tsx'
import { useFormFrame } from '#src/ui/form/use-form-frame.ts'
import { OwnPassword } from './own-password.tsx'
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
  if (challenge !== null)
    return (
      <SecondStepDialog
        title="Your Session Has Ended"
        cancel="Discard Changes"
        closable={false}
        onClose={leaveExpiredSession}
        challenge={challenge}
        onEnded={endChallenge}
        onDone={() => void queryClient.invalidateQueries()}
      />
    )
  return (
    <DialogForm
      title="Your Session Has Ended"
      size="sm"
      closable={false}
      form={form}
      submit="Sign In"
      cancel="Discard Changes"
      onClose={leaveExpiredSession}
    >
      <p>Sign in again to keep your changes, then save.</p>
      <OwnPassword email={email} {...form.getInputProps('password')} />
    </DialogForm>
  )
}
