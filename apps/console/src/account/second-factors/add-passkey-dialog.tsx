import { TextInput } from '@mantine/core'
import type { AddedSecondFactor } from '@switchboard/contract/second-factors'
import { deviceLabel } from '@switchboard/contract/auth/device-label'
import { DialogForm } from '#src/ui/form/dialog-form.tsx'
import { useFormFrame } from '#src/ui/form/use-form-frame.ts'
import { useAddPasskey } from './second-factors.api.ts'

type Props = { onAdded: (added: AddedSecondFactor) => void; onClose: () => void }

/** Asks for the name of a passkey, then the browser asks for the passkey. */
export function AddPasskeyDialog({ onAdded, onClose }: Props) {
  const add = useAddPasskey()
  const form = useFormFrame({
    initialValues: { name: deviceLabel(navigator.userAgent) },
    validate: ({ name }) => ({ name: name.trim() === '' && 'Enter a name.' }),
    send: ({ name }) => add.mutateAsync(name),
    onSaved: onAdded,
    failure: 'No passkey was added: the device refused, or it has a passkey of this account already.',
  })
  return (
    <DialogForm title="Add Passkey" size="sm" form={form} submit="Continue" onClose={onClose} isGuarded={false}>
      <p>A passkey is on this device, on a phone, or on a security key. Your browser asks for it next.</p>
      <TextInput label="Name" maxLength={60} required data-autofocus {...form.getInputProps('name')} />
    </DialogForm>
  )
}
