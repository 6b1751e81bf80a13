import { TextInput } from '@mantine/core'
import { TOTP_DIGITS } from '@switchboard/contract/auth/challenge'
import type { AddedSecondFactor, TotpEnrollment } from '@switchboard/contract/second-factors'
import { DialogForm } from '#src/ui/form/dialog-form.tsx'
import { useFormFrame } from '#src/ui/form/use-form-frame.ts'
import { QrCode } from './qr-code.tsx'
import { useAddTotp } from './second-factors.api.ts'
import css from './second-factors.module.css'

type Props = { enrollment: TotpEnrollment; onAdded: (added: AddedSecondFactor) => void; onClose: () => void }

/** Shows the secret of a new authenticator app, as QR code and as text, and asks for its first code. */
export function AddTotpDialog({ enrollment, onAdded, onClose }: Props) {
  const add = useAddTotp()
  const form = useFormFrame({
    initialValues: { name: 'Authenticator app', code: '' },
    validate: ({ name, code }) => ({
      name: name.trim() === '' && 'Enter a name.',
      code: digitsOf(code).length !== TOTP_DIGITS && `Enter the ${TOTP_DIGITS} digits that the app shows.`,
    }),
    send: ({ name, code }) => add.mutateAsync({ id: enrollment.id, name, code: digitsOf(code) }),
    onSaved: onAdded,
    failure: 'The authenticator app was not added.',
  })
  return (
    <DialogForm
      title="Add Authenticator App"
      form={form}
      submit="Add"
      onClose={onClose}
      // The code is typed last, and the name is rarely changed.
      isGuarded={false}
    >
      <p>Scan this code with an authenticator app on your phone, or type the key into the app.</p>
      <QrCode text={enrollment.uri} label="QR code of the key" />
      <p>
        <code className={css.secret} aria-label="Key">
          {enrollment.secret.replaceAll(/.{4}(?=.)/g, '$& ')}
        </code>
      </p>
      <TextInput label="Name" maxLength={60} required {...form.getInputProps('name')} />
      <TextInput
        label="Code from the app"
        inputMode="numeric"
        autoComplete="one-time-code"
        required
        data-autofocus
        {...form.getInputProps('code')}
      />
    </DialogForm>
  )
}

/** People type codes as they are shown, "123 456", and paste them with the blanks around them. */
function digitsOf(code: string): string {
  return code.replaceAll(/\D/g, '')
}
