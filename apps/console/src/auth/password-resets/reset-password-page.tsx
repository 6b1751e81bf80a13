import { Button } from '@mantine/core'
import { LINK_REFUSED } from '@switchboard/contract/links'
import { useLoaderData } from '@tanstack/react-router'
import { useState } from 'react'
import { chosenPasswordErrors } from '#src/auth/chosen-password-labels.ts'
import { NewPasswordField } from '#src/auth/new-password-field.tsx'
import { useLinkPasswordHint } from '#src/auth/passwords.api.ts'
import { CheckField } from '#src/ui/form/check-field.tsx'
import { Form } from '#src/ui/form/form.tsx'
import { PasswordField } from '#src/ui/form/password-field.tsx'
import { useFormFrame } from '#src/ui/form/use-form-frame.ts'
import { LinkDone, LinkPage } from '#src/ui/page/panel-page.tsx'
import { useResetPassword } from './password-resets.api.ts'

/** The page of the link that resets a password. */
export function ResetPasswordPage() {
  const token = useLoaderData({ from: '/reset-password' })
  return (
    <LinkPage title="Choose a new password" token={token}>
      {(opened) => <ResetForm key={opened} token={opened} />}
    </LinkPage>
  )
}

function ResetForm({ token }: { token: string }) {
  const reset = useResetPassword()
  const [isReset, setIsReset] = useState(false)
  const form = useFormFrame({
    initialValues: { password: '', confirmed: '', revoke_tokens: false },
    validate: chosenPasswordErrors,
    send: ({ password, revoke_tokens }) => reset.mutateAsync({ token, password, revoke_tokens }),
    onSaved: () => setIsReset(true),
    failure: LINK_REFUSED,
  })
  const { password } = form.values
  const hint = useLinkPasswordHint({ kind: 'password_reset', token, password, isSaving: form.submitting })

  if (isReset) return <LinkDone>Your password was changed. All sessions of your account have ended.</LinkDone>
  return (
    <Form form={form}>
      <NewPasswordField label="New password" owner="console" hint={hint} {...form.control('password')} />
      <PasswordField label="Confirm new password" autoComplete="new-password" {...form.getInputProps('confirmed')} />
      <CheckField
        label="Revoke tokens"
        help="Otherwise service tokens that you made keep working."
        checked={form.values.revoke_tokens}
        onChange={(checked) => form.setFieldValue('revoke_tokens', checked)}
      />
      <Button type="submit" fullWidth loading={form.submitting}>
        Change Password
      </Button>
    </Form>
  )
}
