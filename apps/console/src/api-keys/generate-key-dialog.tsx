import { Button, Textarea, TextInput } from '@mantine/core'
import { API_KEY_DESCRIPTION_MAX, API_KEY_NAME_MAX, defaultApiKeyName } from '@switchboard/contract/api-keys'
import { tenantUrl } from '@switchboard/contract/tenants/subdomain'
import type { Tenant } from '@switchboard/contract/tenants'
import { type SubmitEvent, useId, useState } from 'react'
import { Dialog, DialogFooter, DialogMain } from '#src/ui/dialog/dialog.tsx'
import { Notice } from '#src/ui/page/notice.tsx'
import { messageOf } from '#src/lib/call-error.ts'
import { consoleSettings } from '#src/lib/console-settings.ts'
import { useStay } from '#src/lib/use-leave-blocker.ts'
import { type ChosenTenant, TenantSelect } from '#src/tenants/tenant-select.tsx'
import { useCreateApiKey } from './api-keys.api.ts'
import css from './key-form.module.css'
import { endOf, type Expiry, ExpiryField } from './expiry-field.tsx'
import { OriginsField, typedOrigins } from '#src/origins/origins-field.tsx'
import { SecretDialog } from './secret-dialog.tsx'

const NO_TENANT = 'No tenant selected.'

/** Without `tenant`, the dialog asks for a tenant. */
type Props = { tenant: Pick<Tenant, 'id' | 'name' | 'subdomain'> | null; onClose: () => void }

/** Generates a key for a tenant, then shows its secret once (spec §2, API keys; spec §5). */
export function GenerateKeyDialog({ tenant: given, onClose }: Props) {
  const formId = useId()
  const [tenant, setTenant] = useState<ChosenTenant | null>(given)
  const creation = useCreateApiKey()
  const [name, setName] = useState('')
  const [description, setDescription] = useState('')
  const [origins, setOrigins] = useState(consoleSettings.default_allowed_origin)
  const [expiry, setExpiry] = useState<Expiry>({ kind: 'never' })
  const [isTried, setIsTried] = useState(false)
  const typed = typedOrigins(origins)
  const expires_at = endOf(expiry)
  // The secret is in the answer and nowhere else.
  useStay(creation.isPending || creation.isSuccess)

  function submit(event: SubmitEvent) {
    event.preventDefault()
    setIsTried(true)
    if (creation.isPending || typed.hasProblem || expires_at === undefined || tenant === null) return
    creation.mutate({ tenant_id: tenant.id, name, description, allowed_origins: typed.origins, expires_at })
  }

  if (creation.data) {
    return (
      <SecretDialog
        secret={creation.data.api_key}
        onDone={() => {
          creation.reset()
          onClose()
        }}
      />
    )
  }
  return (
    <Dialog title="Generate API Key" busy={creation.isPending} onClose={onClose}>
      <DialogMain>
        <form id={formId} className={css.fields} onSubmit={submit} noValidate>
          {creation.isError && <Notice tone="bad">{messageOf(creation.error, 'Failed to create API key.')}</Notice>}
          {given === null && (
            <TenantSelect
              label="Tenant"
              placeholder="Search name or subdomain"
              value={tenant}
              error={isTried && tenant === null && NO_TENANT}
              required
              onChange={setTenant}
            />
          )}
          <TextInput
            label="Name"
            {...(tenant && { placeholder: defaultApiKeyName(tenant.name) })}
            description="Leave blank to use the suggested name."
            inputWrapperOrder={['label', 'input', 'description']}
            value={name}
            maxLength={API_KEY_NAME_MAX}
            disabled={creation.isPending}
            data-autofocus={given !== null || undefined}
            dir="auto"
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Textarea
            label="Description"
            value={description}
            maxLength={API_KEY_DESCRIPTION_MAX}
            disabled={creation.isPending}
            rows={2}
            dir="auto"
            onChange={(event) => setDescription(event.currentTarget.value)}
          />
          <OriginsField
            value={origins}
            site={
              tenant?.subdomain === undefined ? undefined : tenantUrl(tenant.subdomain, consoleSettings.platform_domain)
            }
            disabled={creation.isPending}
            onChange={setOrigins}
          />
          <ExpiryField value={expiry} isTried={isTried} disabled={creation.isPending} onChange={setExpiry} />
        </form>
      </DialogMain>
      <DialogFooter>
        <Button variant="default" disabled={creation.isPending} onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" form={formId} loading={creation.isPending} disabled={typed.hasProblem}>
          Generate Key
        </Button>
      </DialogFooter>
    </Dialog>
  )
}
