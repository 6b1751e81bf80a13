import { TextInput } from '@mantine/core'
import { PASSWORD_FOR_EMAIL } from '@switchboard/contract/account'
import type { CurrentAdmin } from '@switchboard/contract/auth/current-admin'
import { EMAIL_MAX } from '@switchboard/contract/auth/email-address'
import { EmailField } from '#src/ui/form/email-field.tsx'
import { NEW_ADDRESS_HINT } from '#src/account/email-changes/email-change-labels.ts'
import { PendingEmail } from '#src/account/email-changes/pending-email.tsx'
import formCss from '#src/ui/form/form.module.css'
import { PasswordField } from '#src/ui/form/password-field.tsx'
import { useFormFrame } from '#src/ui/form/use-form-frame.ts'
import { Card } from '#src/ui/card/card.tsx'
import { ROLE_LABELS } from '#src/users/role-labels.ts'
import { AccountForm } from './account-form.tsx'
import { useUpdateProfile } from './account.api.ts'

const UNCHANGED = 'No changes to save'
const UPDATED = 'Profile updated successfully!'

function openText(email: string): string {
  return `Open the link in the mail to ${email} to finish the change.`
}

/** Changes the email address. A changed address requires the password. */
export function ProfileForm({ admin }: { admin: CurrentAdmin }) {
  const update = useUpdateProfile()
  const isChanged = (email: string) => email.trim() !== admin.email
  const form = useFormFrame({
    initialValues: { email: admin.email, current_password: '' },
    validate: ({ email, current_password }) => {
      if (!isChanged(email)) return { '': UNCHANGED }
      return { current_password: current_password === '' && PASSWORD_FOR_EMAIL }
    },
    send: ({ email, current_password }) => update.mutateAsync({ email: email.trim(), current_password }),
    onSaved: (saved) => {
      form.load({ email: saved.email, current_password: '' })
      form.setMessage({
        kind: 'done',
        text: saved.pending_email === undefined ? UPDATED : openText(saved.pending_email),
      })
    },
    failure: 'Failed to update profile',
  })

  return (
    <Card title="Profile Information">
      <AccountForm form={form} submit="Save changes">
        <EmailField
          label="Email"
          maxLength={EMAIL_MAX}
          autoComplete="username"
          description={NEW_ADDRESS_HINT}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          {...form.getInputProps('email')}
        />
        <PendingEmail id={admin.id} />
        {isChanged(form.values.email) && (
          <PasswordField
            label="Confirm with your password"
            autoComplete="current-password"
            {...form.getInputProps('current_password')}
          />
        )}
        <TextInput
          label="Role"
          value={ROLE_LABELS[admin.role]}
          description="Can't be changed here."
          inputWrapperOrder={['label', 'input', 'description']}
          classNames={{ input: formCss.readOnly }}
          readOnly
        />
      </AccountForm>
    </Card>
  )
}
