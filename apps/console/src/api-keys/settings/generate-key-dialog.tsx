import { Button, Textarea, TextInput } from '@mantine/core'
import { API_KEY_DESCRIPTION_MAX, API_KEY_NAME_MAX, defaultApiKeyName } from '@switchboard/contract/api-keys'
import type { KeyEnvironment } from '@switchboard/contract/api-keys/key-environment'
import { tenantUrl } from '@switchboard/contract/tenants/subdomain'
import type { Tenant } from '@switchboard/contract/tenants'
import { IconChevronRight } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useConfirmedFirst } from '#src/auth/confirmation/confirmation.api.ts'
import { firstStepsQuery } from '#src/dashboard/first-steps/first-steps.api.ts'
import { consoleSettings } from '#src/lib/console-settings.ts'
import { OriginsField, typedOrigins } from './origins-field.tsx'
import { arrivalAfter } from '#src/tenants/next-step-labels.ts'
import { type ChosenTenant, TenantSelect } from '#src/tenants/tenant-select.tsx'
import { DialogForm } from '#src/ui/form/dialog-form.tsx'
import { useFormFrame } from '#src/ui/form/use-form-frame.ts'
import { useCreateApiKey } from '#src/api-keys/api-keys.api.ts'
import { EnvironmentField } from './environment-field.tsx'
import { endOf, type Expiry, ExpiryField, expiryErrors } from './expiry-field.tsx'
import css from './generate-key-dialog.module.css'
import { KeySecretDialog } from './key-secret-dialog.tsx'

const NO_TENANT = 'No tenant selected.'

type Draft = {
  tenant: ChosenTenant | null
  name: string
  description: string
  environment: KeyEnvironment
  allowed_origins: string
  expires_at: Expiry
}

/** Without `tenant`, the dialog asks for a tenant. */
type Props = { tenant: Pick<Tenant, 'id' | 'name' | 'subdomain'> | null; onClose: () => void }

/** Generates a key for a tenant, then shows its secret once. Asks for a confirmation before the form is filled. */
export function GenerateKeyDialog({ tenant: given, onClose }: Props) {
  const creation = useCreateApiKey()
  // Asked for here, so that the secret and its command appear at once.
  const { data: firstSteps } = useQuery(firstStepsQuery)
  const navigate = useNavigate()
  const initialValues: Draft = {
    tenant: given,
    name: '',
    description: '',
    environment: 'live',
    allowed_origins: consoleSettings.default_allowed_origin,
    expires_at: { kind: 'never' },
  }
  const form = useFormFrame({
    initialValues,
    validate: ({ tenant, expires_at }) => ({ tenant: tenant === null && NO_TENANT, ...expiryErrors(expires_at) }),
    inputs: { tenant_id: 'tenant' },
    send: ({ tenant, allowed_origins, expires_at, ...texts }) =>
      creation.mutateAsync({
        ...texts,
        tenant_id: tenant?.id ?? '',
        allowed_origins: typedOrigins(allowed_origins).origins,
        expires_at: endOf(expires_at),
      }),
    failure: 'Failed to create API key.',
  })
  const { tenant } = form.values
  const [isUnfolded, setIsUnfolded] = useState(false)
  // A folded field with an error would hide the error.
  const hasMore = isUnfolded || Boolean(form.control('expires_at').error)
  const isConfirmed = useConfirmedFirst(onClose)

  if (creation.data) {
    const { name, tenant_id } = creation.data
    return (
      <KeySecretDialog
        apiKey={creation.data}
        aiApiUrl={firstSteps?.ai_api_url}
        onDone={() => {
          creation.reset()
          onClose()
          void navigate({
            to: '.',
            search: (before) => ({ ...before, generate: undefined }),
            state: arrivalAfter('API key', `${name} was generated.`, { id: tenant_id }),
            replace: true,
            resetScroll: false,
          })
        }}
      />
    )
  }
  if (!isConfirmed) return null
  return (
    <DialogForm
      title="Generate API Key"
      form={form}
      submit="Generate Key"
      isSubmitDisabled={typedOrigins(form.values.allowed_origins).hasProblem}
      onClose={onClose}
    >
      {given === null && <TenantSelect label="Tenant" required {...form.control('tenant')} />}
      <TextInput
        label="Name"
        {...(tenant && { placeholder: defaultApiKeyName(tenant.name) })}
        description="Leave blank to use the suggested name."
        maxLength={API_KEY_NAME_MAX}
        data-autofocus={given !== null || undefined}
        {...form.getInputProps('name')}
      />
      <OriginsField
        site={
          tenant?.subdomain === undefined ? undefined : tenantUrl(tenant.subdomain, consoleSettings.platform_domain)
        }
        {...form.control('allowed_origins')}
      />
      <Button
        variant="subtle"
        color="gray"
        size="compact-md"
        className={css.more}
        leftSection={<IconChevronRight size={16} aria-hidden />}
        aria-expanded={hasMore}
        onClick={() => setIsUnfolded(!hasMore)}
      >
        More Options
      </Button>
      {hasMore && (
        <>
          <Textarea
            label="Description"
            maxLength={API_KEY_DESCRIPTION_MAX}
            rows={2}
            {...form.getInputProps('description')}
          />
          <ExpiryField {...form.control('expires_at')} />
          <EnvironmentField {...form.control('environment')} />
        </>
      )}
    </DialogForm>
  )
}
