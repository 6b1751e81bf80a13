import { TextInput } from '@mantine/core'
import { PASSWORD_FOR_EMAIL } from '@switchboard/contract/account'
import type { CurrentAdmin } from '@switchboard/contract/auth/current-admin'
import { EMAIL_MAX } from '@switchboard/contract/auth/email-address'
import { nameOf } from '@switchboard/contract/auth/person-name'
import { IconLock } from '@tabler/icons-react'
import { EmailField } from '#src/ui/form/email-field.tsx'
import { NEW_ADDRESS_HINT } from '#src/account/email-changes/email-change-labels.ts'
import { PendingEmail } from '#src/account/email-changes/pending-email.tsx'
import { NameField } from '#src/ui/form/name-field.tsx'
import { PasswordField } from '#src/ui/form/password-field.tsx'
import { useFormFrame } from '#src/ui/form/use-form-frame.ts'
import { Card } from '#src/ui/card/card.tsx'
import { ROLE_LABELS } from '#src/users/role-labels.ts'
import { AccountForm } from './account-form.tsx'
import { useUpdateProfile } from './account.api.ts'
import css from './account.module.css'

const UNCHANGED = 'No changes to save'
const UPDATED = 'Profile updated successfully!'

function openText(email: string): string {
  return `Open the link in the mail to ${email} to finish the change.`
}

/** Changes the name and the email address. A changed address requires the password. */
export function ProfileForm({ admin }: { admin: CurrentAdmin }) {
  const update = useUpdateProfile()
  const isNewEmail = (email: string) => email.trim() !== admin.email
  const isNewName = (name: string) => name.trim() !== (admin.name ?? '')
  const form = useFormFrame({
    initialValues: draftOf(admin),
    validate: ({ name, email, current_password }) => {
      if (!isNewEmail(email) && !isNewName(name)) return { '': UNCHANGED }
      return { current_password: isNewEmail(email) && current_password === '' && PASSWORD_FOR_EMAIL }
    },
    send: ({ name, email, current_password }) =>
      update.mutateAsync({
        ...(isNewName(name) && { name: nameOf(name) }),
        ...(isNewEmail(email) && { email: email.trim(), current_password }),
      }),
    onSaved: (saved) => {
      form.load(draftOf(saved))
      form.setMessage({
        kind: 'done',
        text: saved.pending_email === undefined ? UPDATED : openText(saved.pending_email),
      })
    },
    failure: 'Failed to update profile',
  })
  const hasNewEmail = isNewEmail(form.values.email)

  return (
    <Card title="Profile Information">
      <AccountForm
        form={form}
        submit="Save Changes"
        hint={hasNewEmail ? NEW_ADDRESS_HINT : 'You sign in with this email address.'}
      >
        <div className={css.fields}>
          <EmailField label="Email" maxLength={EMAIL_MAX} autoComplete="username" {...form.getInputProps('email')} />
          <TextInput
            label="Role"
            value={ROLE_LABELS[admin.role]}
            rightSection={<IconLock size={16} aria-hidden />}
            readOnly
          />
          {hasNewEmail && (
            <PasswordField
              label="Confirm with your password"
              autoComplete="current-password"
              className={css.first}
              {...form.getInputProps('current_password')}
            />
          )}
          <NameField autoComplete="name" className={css.first} {...form.getInputProps('name')} />
        </div>
        <PendingEmail id={admin.id} />
      </AccountForm>
    </Card>
  )
}

function draftOf({ name, email }: Pick<CurrentAdmin, 'name' | 'email'>) {
  return { name: name ?? '', email, current_password: '' }
}
