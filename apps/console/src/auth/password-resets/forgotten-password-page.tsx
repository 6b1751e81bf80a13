import { Button } from '@mantine/core'
import { email as emailSchema } from '@switchboard/contract/auth/current-admin'
import { PASSWORD_RESET_MINUTES } from '@switchboard/contract/links'
import { RESET_REQUESTED } from '@switchboard/contract/password-resets'
import { useState } from 'react'
import { commandHere, consoleSettings } from '#src/lib/console-settings.ts'
import { EmailField } from '#src/ui/form/email-field.tsx'
import { Form } from '#src/ui/form/form.tsx'
import { useFormFrame } from '#src/ui/form/use-form-frame.ts'
import { ButtonLink } from '#src/ui/button/button-link.tsx'
import { Notice } from '#src/ui/notice/notice.tsx'
import { PanelPage } from '#src/ui/page/panel-page.tsx'
import { useForgotPassword } from './password-resets.api.ts'

/** Asks for a link by mail, or says whom to ask when the server sends no mail. */
export function ForgottenPasswordPage() {
  return (
    <PanelPage title="Forgot password">
      {consoleSettings.mail ? <RequestForm /> : <WithoutMail />}
      <ButtonLink to="/login" variant="default" fullWidth>
        Back to Sign In
      </ButtonLink>
    </PanelPage>
  )
}

function RequestForm() {
  const request = useForgotPassword()
  const [isRequested, setIsRequested] = useState(false)
  const form = useFormFrame({
    initialValues: { email: '' },
    validate: ({ email }) => {
      const problem = emailSchema.safeParse(email).error?.issues[0]?.message
      return problem === undefined ? {} : { email: problem }
    },
    send: (values) => request.mutateAsync(values),
    onSaved: () => setIsRequested(true),
    failure: 'The link could not be requested.',
  })

  if (isRequested)
    return <Notice tone="ok">{`${RESET_REQUESTED} It works once and for ${PASSWORD_RESET_MINUTES} minutes.`}</Notice>
  return (
    <>
      <p>Enter the email address of your account. You get a link to choose a new password.</p>
      <Form form={form}>
        <EmailField label="Email" autoComplete="username" data-autofocus {...form.getInputProps('email')} />
        <Button type="submit" fullWidth loading={form.submitting}>
          Send Link
        </Button>
      </Form>
    </>
  )
}

function WithoutMail() {
  return (
    <>
      <p>
        This server sends no mail. Ask the administrator of the server for a new password. On the machine of the server,
        this command sets one:
      </p>
      <p>
        <code>{commandHere('admin', 'reset-password', 'EMAIL')}</code>
      </p>
    </>
  )
}
