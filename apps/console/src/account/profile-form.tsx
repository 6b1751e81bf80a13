import { TextInput } from '@mantine/core'
import { type CurrentAdmin, EMAIL_MAX } from '@switchboard/contract/auth/current-admin'
import { PASSWORD_FOR_EMAIL } from '@switchboard/contract/account'
import { type SubmitEvent, useState } from 'react'
import { Card } from '#src/ui/page/card.tsx'
import { PasswordField } from '#src/ui/form/password-field.tsx'
import { fieldErrors, messageOf } from '#src/lib/call-error.ts'
import { FormEnd } from './form-end.tsx'
import { useUpdateProfile } from './account.api.ts'
import css from './account.module.css'
import { usePassingMessage } from './use-passing-message.ts'

/** Spec §5 and §8. */
const UNCHANGED = 'No changes to save'
const UPDATED = 'Profile updated successfully!'
const FAILED = 'Failed to update profile'

/** The sign-in address. A changed address requires the password. */
export function ProfileForm({ admin }: { admin: CurrentAdmin }) {
  const update = useUpdateProfile()
  const [email, setEmail] = useState(admin.email)
  const [password, setPassword] = useState('')
  const [lacksPassword, setLacksPassword] = useState(false)
  const [message, setMessage] = usePassingMessage()
  const errors = fieldErrors(update.error)
  const isChanged = email.trim() !== admin.email

  function submit(event: SubmitEvent) {
    event.preventDefault()
    if (update.isPending) return
    if (!isChanged) return setMessage({ kind: 'problem', text: UNCHANGED })
    setMessage({ kind: 'none' })
    setLacksPassword(password === '')
    if (password === '') return update.reset()
    update.mutate(
      { email: email.trim(), current_password: password },
      {
        onSuccess: (saved) => {
          setEmail(saved.email)
          setPassword('')
          setMessage({ kind: 'done', text: UPDATED })
        },
        onError: (error) => {
          const fields = fieldErrors(error)
          if (Object.keys(fields).length === 0) setMessage({ kind: 'failed', text: messageOf(error, FAILED) })
        },
      },
    )
  }

  return (
    <Card title="Profile Information">
      <form className={css.form} onSubmit={submit} noValidate>
        <TextInput
          label="Email"
          type="email"
          value={email}
          maxLength={EMAIL_MAX}
          error={errors.email}
          required
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          onChange={(event) => {
            setEmail(event.currentTarget.value)
            if (update.isError) update.reset()
          }}
        />
        {isChanged && (
          <PasswordField
            label="Confirm with your password"
            value={password}
            error={lacksPassword && password === '' ? PASSWORD_FOR_EMAIL : errors.current_password}
            autoComplete="current-password"
            onChange={(event) => {
              setPassword(event.currentTarget.value)
              if (update.isError) update.reset()
            }}
          />
        )}
        <TextInput
          label="Role"
          value="Super admin"
          description="Can't be changed here."
          inputWrapperOrder={['label', 'input', 'description']}
          classNames={{ input: css.readOnly }}
          readOnly
        />
        <FormEnd button="Save Changes" loading={update.isPending} message={message} />
      </form>
    </Card>
  )
}
