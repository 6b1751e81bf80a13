import { NativeSelect, Textarea, TextInput } from '@mantine/core'
import {
  network,
  NETWORK_INVALID,
  TOKEN_DAYS_DEFAULT,
  TOKEN_DAYS_MAX,
  TOKEN_NAME_MAX,
  type TokenRole,
  tokenRole,
} from '@switchboard/contract/tokens'
import { SecretDialog } from '#src/ui/dialog/secret-dialog.tsx'
import { DialogForm } from '#src/ui/form/dialog-form.tsx'
import { useFormFrame } from '#src/ui/form/use-form-frame.ts'
import { TOKEN_ROLE_HINTS, TOKEN_ROLE_LABELS, typedNetworks } from './token-labels.ts'
import { useCreateToken } from './tokens.api.ts'

const DAYS = [7, 30, TOKEN_DAYS_DEFAULT, 180, TOKEN_DAYS_MAX]

type Draft = { name: string; role: TokenRole; expires_in_days: string; networks: string }

/** Creates a machine token, then shows its secret once. */
export function CreateTokenDialog({ onClose }: { onClose: () => void }) {
  const creation = useCreateToken()
  const initialValues: Draft = {
    name: '',
    role: 'auditor',
    expires_in_days: String(TOKEN_DAYS_DEFAULT),
    networks: '',
  }
  const form = useFormFrame({
    initialValues,
    validate: ({ name, networks }) => ({
      name: name.trim() === '' && 'A token needs a name.',
      networks: typedNetworks(networks).some((typed) => !network.safeParse(typed).success) && NETWORK_INVALID,
    }),
    send: ({ name, role, expires_in_days, networks }) =>
      creation.mutateAsync({ name, role, expires_in_days: Number(expires_in_days), networks: typedNetworks(networks) }),
    failure: 'Failed to create machine token.',
  })

  if (creation.data) {
    const { name, role, token } = creation.data
    return (
      <SecretDialog
        title="Machine Token Created"
        noun="token"
        secret={token}
        hint="A program sends this token with each call. Never commit it or put it in a page."
        onDone={() => {
          creation.reset()
          onClose()
        }}
      >
        <strong dir="auto">{name}</strong>, {TOKEN_ROLE_LABELS[role]}
      </SecretDialog>
    )
  }
  return (
    <DialogForm title="New Machine Token" form={form} submit="Create Token" onClose={onClose}>
      <TextInput
        label="Name"
        description="The program or the team that uses the token. The activity log shows it."
        maxLength={TOKEN_NAME_MAX}
        required
        data-autofocus
        {...form.getInputProps('name')}
      />
      <NativeSelect
        label="Role"
        description={TOKEN_ROLE_HINTS[form.values.role]}
        data={tokenRole.options.map((value) => ({ value, label: TOKEN_ROLE_LABELS[value] }))}
        {...form.getInputProps('role')}
      />
      <NativeSelect
        label="Expires"
        data={DAYS.map((days) => ({
          value: String(days),
          label: days === TOKEN_DAYS_MAX ? 'In 1 year' : `In ${days} days`,
        }))}
        {...form.getInputProps('expires_in_days')}
      />
      <Textarea
        label="Networks"
        description="Addresses or networks that may use the token, such as 203.0.113.0/24. Leave blank for any."
        rows={2}
        {...form.getInputProps('networks')}
      />
    </DialogForm>
  )
}
