import { TextInput } from '@mantine/core'
import { TOTP_DIGITS } from '@switchboard/contract/auth/challenge'
import type { AddedSecondFactor, TotpEnrollment } from '@switchboard/contract/second-factors'
import { encode } from 'uqr'
import { DialogForm } from '#src/ui/form/dialog-form.tsx'
import { useFormFrame } from '#src/ui/form/use-form-frame.ts'
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

/** The empty border that scanners need, in modules. */
const BORDER = 4

/** A QR code, black on white in both themes. */
function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { ecc: 'M', border: BORDER })
  const modules = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- drawn by React, without an image file
    <svg className={css.qr} viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label} shapeRendering="crispEdges">
      <rect width={size} height={size} fill="#fff" />
      <path d={modules.join('')} fill="#000" />
    </svg>
  )
}
