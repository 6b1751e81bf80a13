import { TextInput } from '@mantine/core'
import { SIGN_ON_PATH } from '@switchboard/contract/single-sign-on/sign-on-path'
import type { ComponentProps } from 'react'
import { consoleSettings } from '#src/lib/console-settings.ts'
import { PasswordField } from '#src/ui/form/password-field.tsx'

type Props = {
  email: string
  /** What follows after the sign-in in another tab. */ afterSignOn?: string
} & ComponentProps<typeof PasswordField>

/**
 * The password of an account, with its address for password managers, and single sign-on in another tab: its session is
 * also the session of this page, and its sign-in counts as a confirmation.
 */
export function OwnPassword({ email, afterSignOn, ...password }: Props) {
  return (
    <>
      {consoleSettings.sign_in !== 'password' && (
        <p>
          <a href={SIGN_ON_PATH} target="_blank" rel="noreferrer">
            Sign in with single sign-on in a new tab
          </a>
          {afterSignOn}
        </p>
      )}
      <TextInput label="Email" value={email} autoComplete="username" readOnly />
      <PasswordField label="Password" autoComplete="current-password" data-autofocus {...password} />
    </>
  )
}
