import { Button, TextInput } from '@mantine/core'
import type { SignInChallenge } from '@switchboard/contract/auth/challenge'
import type { SecondFactorMethod } from '@switchboard/contract/auth/second-factor-method'
import { type SubmitEvent, useState } from 'react'
import { messageOf } from '#src/lib/call-error.ts'
import { Notice } from '#src/ui/notice/notice.tsx'
import { PasswordField } from '#src/ui/form/password-field.tsx'
import { isChallengeEnded, sendPasskey, type SendProof, sendProof } from './second-step.api.ts'

type Props = {
  challenge: SignInChallenge
  /** The challenge has ended: the sign-in begins again with the password. */
  onEnded: (message: string) => void
  onDone?: () => void
  /** Whether a passkey needs the password too. */
  needsPassword?: boolean
  /** Sends the answer; by default, as the second step of a sign-in. */
  send?: SendProof
}

const LABELS: Record<SecondFactorMethod, string> = {
  passkey: 'Use a Passkey',
  totp: 'Use the Authenticator App',
  recovery_code: 'Use a Recovery Code',
}
const PASSKEY_FAILED = 'The passkey was not used: the device refused, or the request was canceled.'

/** Asks for the second factor of a sign-in, by one of the methods of the account. */
export function SecondStep({ challenge, onEnded, onDone, needsPassword = false, send = sendProof }: Props) {
  const methods = (['passkey', 'totp', 'recovery_code'] as const).filter((each) => challenge.methods.includes(each))
  const [method, setMethod] = useState<SecondFactorMethod>(methods[0] ?? 'totp')
  const [isRunning, setIsRunning] = useState(false)
  const [failure, setFailure] = useState<{ message: string; count: number } | null>(null)

  /** The failure was about the other method. */
  function choose(other: SecondFactorMethod) {
    setFailure(null)
    setMethod(other)
  }
  async function run(answer: () => Promise<void>) {
    if (isRunning) return
    setIsRunning(true)
    try {
      await answer()
      onDone?.()
    } catch (error) {
      const message = messageOf(error, method === 'passkey' ? PASSKEY_FAILED : 'Login failed')
      if (isChallengeEnded(error)) return onEnded(message)
      setFailure((before) => ({ message, count: (before?.count ?? 0) + 1 }))
      setIsRunning(false)
    }
  }

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    const data = new FormData(event.currentTarget)
    const typed = textIn(data, 'code')
    const password = needsPassword ? textIn(data, 'password') : undefined
    if (method === 'passkey') void run(() => sendPasskey(challenge, send, password))
    else if (method === 'totp') void run(() => send(challenge, { code: typed.replaceAll(/\D/g, '') }))
    else void run(() => send(challenge, { recovery_code: typed.replaceAll(/[^a-z\d]/gi, '') }))
  }

  return (
    <form className="stack" onSubmit={submit} aria-label="Second factor">
      {failure && (
        // A new element for each failure: screen readers announce the same message again.
        <Notice key={failure.count} tone="bad">
          {failure.message}
        </Notice>
      )}
      <p>{methodText(method, needsPassword)}</p>
      {method === 'passkey' && needsPassword && (
        <PasswordField name="password" label="Password" autoComplete="current-password" data-autofocus />
      )}
      {method !== 'passkey' && (
        <TextInput
          key={method}
          name="code"
          required
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the only field, after the password
          autoFocus
          // No `maxLength`: a pasted code may contain spaces, and the limit would cut off its end.
          spellCheck={false}
          autoCapitalize="none"
          {...(method === 'totp'
            ? {
                label: 'Code from your authenticator app',
                inputMode: 'numeric',
                autoComplete: 'one-time-code',
              }
            : { label: 'Recovery code', autoComplete: 'off' })}
        />
      )}
      {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- the only step, after the password */}
      <Button type="submit" fullWidth loading={isRunning} autoFocus={method === 'passkey' && !needsPassword}>
        {method === 'passkey' ? 'Continue with Passkey' : 'Verify'}
      </Button>
      {methods
        .filter((each) => each !== method)
        .map((each) => (
          <Button key={each} variant="default" size="compact-md" disabled={isRunning} onClick={() => choose(each)}>
            {LABELS[each]}
          </Button>
        ))}
    </form>
  )
}

function methodText(method: SecondFactorMethod, needsPassword: boolean): string {
  if (method !== 'passkey') return 'Confirm with a code.'
  return needsPassword ? 'Confirm with your password and your passkey.' : 'Confirm with your passkey.'
}

function textIn(data: FormData, name: string): string {
  const entry = data.get(name)
  return typeof entry === 'string' ? entry : ''
}
