import { NativeSelect, TextInput } from '@mantine/core'
import {
  normaliseSubdomain,
  SUBDOMAIN_RULE,
  subdomainProblem,
  tenantUrl,
} from '@switchboard/contract/tenants/subdomain'
import { TENANT_NAME_MAX, type TenantType, tenantType } from '@switchboard/contract/tenants'
import { useNavigate } from '@tanstack/react-router'
import { type SubmitEvent, useState } from 'react'
import { ButtonLink } from '#src/ui/page/button-link.tsx'
import formCss from '#src/ui/form/form.module.css'
import { Notice } from '#src/ui/page/notice.tsx'
import { Page } from '#src/ui/page/page.tsx'
import { SubmitButton } from '#src/ui/form/submit-button.tsx'
import { fieldErrors, messageOf } from '#src/lib/call-error.ts'
import { consoleSettings } from '#src/lib/console-settings.ts'
import { notify } from '#src/lib/notify.ts'
import css from './create-tenant-page.module.css'
import { TYPE_OPTIONS } from './tenant-labels.ts'
import { useCreateTenant } from './tenants.api.ts'

/** Creates a tenant (spec §2, Create tenant). */
export function CreateTenantPage() {
  const navigate = useNavigate()
  const creation = useCreateTenant()
  const [name, setName] = useState('')
  const [typedSubdomain, setTypedSubdomain] = useState('')
  const [type, setType] = useState<TenantType>('product')
  const [problem, setProblem] = useState<string | null>(null)
  const subdomain = normaliseSubdomain(typedSubdomain)
  const errors = fieldErrors(creation.error)

  function submit(event: SubmitEvent) {
    event.preventDefault()
    const wrong = subdomainProblem(subdomain)
    setProblem(wrong)
    if (creation.isPending) return
    if (wrong !== null) {
      // What the server said of another subdomain.
      creation.reset()
      return
    }
    creation.mutate(
      { name: name.trim(), subdomain, tenant_type: type },
      {
        onSuccess: (tenant) => {
          notify('ok', `${tenant.name} was created.`)
          void navigate({ to: '/tenants' })
        },
      },
    )
  }

  return (
    <Page title="New Tenant" subtitle="A client organisation with its own assistant.">
      <form className={formCss.card} onSubmit={submit} noValidate>
        {creation.isError && !errors.name && !errors.subdomain && (
          <Notice tone="bad">{messageOf(creation.error, 'Failed to create tenant')}</Notice>
        )}
        <TextInput
          label="Tenant Name"
          value={name}
          maxLength={TENANT_NAME_MAX}
          error={errors.name}
          required
          dir="auto"
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <TextInput
          label="Subdomain"
          description={<SubdomainHint subdomain={subdomain} />}
          inputWrapperOrder={['label', 'input', 'error', 'description']}
          value={typedSubdomain}
          error={problem ?? errors.subdomain}
          required
          autoCapitalize="none"
          autoComplete="off"
          spellCheck={false}
          classNames={{ input: css.subdomain }}
          onChange={(event) => {
            setTypedSubdomain(event.currentTarget.value)
            setProblem(null)
          }}
        />
        <NativeSelect
          label="Business Type"
          description="Decides which AI prompts and tools customers experience."
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          value={type}
          data={TYPE_OPTIONS}
          onChange={(event) => setType(tenantType.parse(event.currentTarget.value))}
        />
        <div className={formCss.buttons}>
          <ButtonLink to="/tenants" variant="default" disabled={creation.isPending}>
            Cancel
          </ButtonLink>
          <SubmitButton disabled={name.trim() === '' || subdomain === ''} loading={creation.isPending}>
            Create Tenant
          </SubmitButton>
        </div>
      </form>
    </Page>
  )
}

/** What the subdomain is for, its rule, and the address it will make. */
function SubdomainHint({ subdomain }: { subdomain: string }) {
  return (
    <>
      Used for the tenant's unique URL. {SUBDOMAIN_RULE}
      <span className={css.preview}>
        {tenantUrl(subdomain === '' ? '…' : subdomain, consoleSettings.platform_domain)}
      </span>
    </>
  )
}
