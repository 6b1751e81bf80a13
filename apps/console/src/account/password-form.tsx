import { lengthProblem } from '@switchboard/contract/auth/passwords'
import { ALL_FIELDS_REQUIRED } from '@switchboard/contract/account'
import { type SubmitEvent, useState } from 'react'
import { Card } from '#src/ui/page/card.tsx'
import { NewPasswordField } from '#src/ui/form/new-password-field.tsx'
import { PasswordField } from '#src/ui/form/password-field.tsx'
import { fieldErrors, messageOf } from '#src/lib/call-error.ts'
import { usePasswordHint } from '#src/auth/passwords.api.ts'
import { FormEnd } from './form-end.tsx'
import { useUpdateProfile } from './account.api.ts'
import css from './account.module.css'
import { usePassingMessage } from './use-passing-message.ts'

/** Spec §5 and §8. */
const DIFFERENT = 'New passwords do not match'
const UPDATED = 'Password updated successfully!'
const FAILED = 'Failed to update password'
const EMPTY = { current: '', next: '', confirmed: '' }

/** A new password, which ends all other sessions. */
export function PasswordForm({ email }: { email: string }) {
  const update = useUpdateProfile()
  const [draft, setDraft] = useState(EMPTY)
  const [message, setMessage] = usePassingMessage()
  const hint = usePasswordHint({
    password: draft.next,
    owner: 'console',
    names: [email],
    isSaving: update.isPending,
  })
  const errors = fieldErrors(update.error)

  function change(changed: Partial<typeof EMPTY>) {
    setDraft({ ...draft, ...changed })
    if (update.isError) update.reset()
  }

  function submit(event: SubmitEvent) {
    event.preventDefault()
    if (update.isPending) return
    const problem = problemOf(draft)
    if (problem !== null) return setMessage({ kind: 'problem', text: problem })
    setMessage({ kind: 'none' })
    update.mutate(
      { current_password: draft.current, new_password: draft.next },
      {
        onSuccess: () => {
          setDraft(EMPTY)
          setMessage({ kind: 'done', text: UPDATED })
        },
        onError: (error) => {
          if (Object.keys(fieldErrors(error)).length === 0)
            setMessage({ kind: 'failed', text: messageOf(error, FAILED) })
        },
      },
    )
  }

  return (
    <Card title="Change Password" help="A new password signs you out everywhere else.">
      <form className={css.form} onSubmit={submit} noValidate>
        {/* For password managers, which keep a password with its account. */}
        <input type="text" value={email} autoComplete="username" readOnly hidden />
        <PasswordField
          label="Current Password"
          value={draft.current}
          error={errors.current_password}
          autoComplete="current-password"
          onChange={(event) => change({ current: event.currentTarget.value })}
        />
        <NewPasswordField
          label="New Password"
          value={draft.next}
          owner="console"
          hint={hint}
          error={errors.new_password}
          onChange={(next) => change({ next })}
        />
        <PasswordField
          label="Confirm New Password"
          value={draft.confirmed}
          autoComplete="new-password"
          onChange={(event) => change({ confirmed: event.currentTarget.value })}
        />
        <FormEnd button="Update Password" loading={update.isPending} message={message} />
      </form>
    </Card>
  )
}

/** What is wrong with the entry, in the order of spec §5. */
function problemOf({ current, next, confirmed }: typeof EMPTY): string | null {
  if (current === '' || next === '' || confirmed === '') return ALL_FIELDS_REQUIRED
  if (next !== confirmed) return DIFFERENT
  return lengthProblem(next, 'console')
}
