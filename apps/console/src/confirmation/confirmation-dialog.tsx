import { TextInput } from '@mantine/core'
import '@mantine/core/styles/Input.layer.css'
import { CONFIRMED_MINUTES } from '@switchboard/contract/auth/confirmed'
import { messageOf } from '#src/lib/call-error.ts'
import { endConfirmation } from '#src/lib/confirmation.ts'
import { useSession } from '#src/lib/session.ts'
import { DialogForm } from '#src/ui/form/dialog-form.tsx'
import formCss from '#src/ui/form/form.module.css'
import { PasswordField } from '#src/ui/form/password-field.tsx'
import { useFormFrame } from '#src/ui/form/use-form-frame.ts'
import { confirmWithPassword } from './confirmation.api.ts'

/** Asks for the password before a sensitive action goes on, over the page, form or dialog of the action. */
export function ConfirmationDialog({ onClose }: { onClose: () => void }) {
  const session = useSession()
  const form = useFormFrame({
    initialValues: { password: '' },
    send: ({ password }) => confirmWithPassword(password),
    errorsOf: (error) => ({ password: messageOf(error, 'You could not be confirmed.') }),
    onSaved: () => endConfirmation(true),
    failure: 'You could not be confirmed.',
  })
  return (
    <DialogForm
      title="Confirm that it is you"
      size="sm"
      form={form}
      submit="Confirm"
      isGuarded={false}
      onClose={onClose}
    >
      <p>This action needs your password. You will not be asked again for {CONFIRMED_MINUTES} minutes.</p>
      <TextInput
        label="Email"
        value={session.kind === 'authenticated' ? session.admin.email : ''}
        autoComplete="username"
        classNames={{ input: formCss.readOnly }}
        readOnly
      />
      <PasswordField
        label="Password"
        autoComplete="current-password"
        data-autofocus
        {...form.getInputProps('password')}
      />
    </DialogForm>
  )
}
