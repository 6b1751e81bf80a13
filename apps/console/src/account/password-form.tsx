import { ALL_FIELDS_REQUIRED } from '@switchboard/contract/account'
import { lengthProblem } from '@switchboard/contract/auth/passwords'
import { useCan } from '#src/lib/can.ts'
import { usePasswordHint } from '#src/auth/passwords.api.ts'
import { NewPasswordField } from '#src/auth/new-password-field.tsx'
import { PasswordField } from '#src/ui/form/password-field.tsx'
import { useFormFrame } from '#src/ui/form/use-form-frame.ts'
import { Card } from '#src/ui/card/card.tsx'
import { AccountForm } from './account-form.tsx'
import { useUpdateProfile } from './account.api.ts'
import css from './account.module.css'

const DIFFERENT = 'New passwords do not match'
const UPDATED = 'Password updated successfully!'
const EMPTY = { current_password: '', new_password: '', confirmed: '' }

/** Changes the password. A new password ends all other sessions. */
export function PasswordForm({ email }: { email: string }) {
  const hasTokens = useCan('tokens')
  const update = useUpdateProfile()
  const form = useFormFrame({
    initialValues: EMPTY,
    validate: errorsOfEntry,
    send: ({ current_password, new_password }) => update.mutateAsync({ current_password, new_password }),
    onSaved: () => {
      form.load(EMPTY)
      form.setMessage({ kind: 'done', text: UPDATED })
    },
    failure: 'Failed to update password',
  })
  const password = form.values.new_password
  const strength = usePasswordHint({ password, owner: 'console', names: [email], isSaving: form.submitting })

  const hint = hasTokens
    ? 'A new password signs you out everywhere else. Your service tokens keep working until you revoke them.'
    : 'A new password signs you out everywhere else.'

  return (
    <Card anchor="change-password" title="Change Password">
      <AccountForm form={form} submit="Update Password" hint={hint}>
        {/* Password managers store a password with its account. */}
        <input type="text" value={email} autoComplete="username" readOnly hidden />
        <div className={css.fields}>
          <PasswordField
            label="Current password"
            autoComplete="current-password"
            className={css.first}
            {...form.getInputProps('current_password')}
          />
          <div className={css.first}>
            <NewPasswordField label="New password" owner="console" hint={strength} {...form.control('new_password')} />
          </div>
          <PasswordField
            label="Confirm new password"
            autoComplete="new-password"
            {...form.getInputProps('confirmed')}
          />
        </div>
      </AccountForm>
    </Card>
  )
}

/** The first problem: a missing field, then a different confirmation, then the length. */
function errorsOfEntry({ current_password, new_password, confirmed }: typeof EMPTY) {
  if (current_password === '' || new_password === '' || confirmed === '') return { '': ALL_FIELDS_REQUIRED }
  return { '': new_password === confirmed ? lengthProblem(new_password, 'console') : DIFFERENT }
}
