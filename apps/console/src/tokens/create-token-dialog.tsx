import { NativeSelect, Textarea, TextInput } from '@mantine/core'
import {
  mayHaveTenants,
  network,
  NETWORK_INVALID,
  SCOPES_MISSING,
  TENANTS_NEED_AI_API,
  TOKEN_DAYS_DEFAULT,
  TOKEN_DAYS_MAX,
  TOKEN_NAME_MAX,
} from '@switchboard/contract/tokens'
import { type Scope, SCOPE_PRESETS } from '@switchboard/contract/tokens/scopes'
import type { ChosenTenant } from '#src/tenants/tenant-select.tsx'
import { SecretDialog } from '#src/ui/dialog/secret-dialog.tsx'
import { DialogForm } from '#src/ui/form/dialog-form.tsx'
import { useFormFrame } from '#src/ui/form/use-form-frame.ts'
import { ScopesField } from './scopes-field.tsx'
import { accessText, typedNetworks } from './token-labels.ts'
import { TokenTenantsField } from './token-tenants-field.tsx'
import { useCreateToken } from './tokens.api.ts'

const DAYS = [7, 30, TOKEN_DAYS_DEFAULT, 180, TOKEN_DAYS_MAX]

type Draft = { name: string; scopes: Scope[]; tenants: ChosenTenant[]; expires_in_days: string; networks: string }

/** Creates a service token, then shows its secret once. */
export function CreateTokenDialog({ onClose }: { onClose: () => void }) {
  const creation = useCreateToken()
  const initialValues: Draft = {
    name: '',
    scopes: [...SCOPE_PRESETS.runtime],
    tenants: [],
    expires_in_days: String(TOKEN_DAYS_DEFAULT),
    networks: '',
  }
  const form = useFormFrame({
    initialValues,
    validate: ({ name, scopes, tenants, networks }) => ({
      name: name.trim() === '' && 'A token needs a name.',
      scopes: scopes.length === 0 && SCOPES_MISSING,
      tenants: tenants.length > 0 && !mayHaveTenants(scopes) && TENANTS_NEED_AI_API,
      networks: typedNetworks(networks).some((typed) => !network.safeParse(typed).success) && NETWORK_INVALID,
    }),
    send: ({ name, scopes, tenants, expires_in_days, networks }) =>
      creation.mutateAsync({
        name,
        scopes,
        tenant_ids: tenants.map(({ id }) => id),
        expires_in_days: Number(expires_in_days),
        networks: typedNetworks(networks),
      }),
    inputs: { tenant_ids: 'tenants' },
    failure: 'Failed to create service token.',
  })

  if (creation.data) {
    const { name, token } = creation.data
    return (
      <SecretDialog
        title="Service Token Created"
        noun="token"
        secret={token}
        hint="A program sends this token with each call. Never commit it or put it in a page."
        onDone={() => {
          creation.reset()
          onClose()
        }}
      >
        <strong dir="auto">{name}</strong>, {accessText(creation.data)}
      </SecretDialog>
    )
  }
  return (
    <DialogForm title="New Service Token" size="lg" form={form} submit="Create Token" onClose={onClose}>
      <TextInput
        label="Name"
        description="The program or the team that uses the token. The activity log shows it."
        maxLength={TOKEN_NAME_MAX}
        required
        data-autofocus
        {...form.getInputProps('name')}
      />
      <ScopesField {...form.control('scopes')} />
      {(mayHaveTenants(form.values.scopes) || form.values.tenants.length > 0) && (
        <TokenTenantsField {...form.control('tenants')} />
      )}
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
