import { NativeSelect, TextInput } from '@mantine/core'
import { schemaResolver } from '@mantine/form'
import {
  normalizeSubdomain,
  proposedSubdomain,
  SUBDOMAIN_RULE,
  tenantUrl,
} from '@switchboard/contract/tenants/subdomain'
import { type CreateTenantBody, createTenantBody, TENANT_NAME_MAX } from '@switchboard/contract/tenants'
import { useNavigate } from '@tanstack/react-router'
import type { ChangeEvent } from 'react'
import { consoleSettings } from '#src/lib/console-settings.ts'
import { PageForm } from '#src/ui/form/page-form.tsx'
import { useFormFrame } from '#src/ui/form/use-form-frame.ts'
import { Page } from '#src/ui/page/page.tsx'
import css from './create-tenant-page.module.css'
import { arrivalAfter } from './next-step-labels.ts'
import { TYPE_OPTIONS } from './tenant-labels.ts'
import { useCreateTenant } from './tenants.api.ts'

const EMPTY: CreateTenantBody = { name: '', subdomain: '', tenant_type: 'product' }

/** Creates a tenant. */
export function CreateTenantPage() {
  const navigate = useNavigate()
  const creation = useCreateTenant()
  const form = useFormFrame({
    initialValues: EMPTY,
    validate: schemaResolver(createTenantBody, { sync: true }),
    send: ({ name, subdomain, tenant_type }) =>
      creation.mutateAsync({ name: name.trim(), subdomain: normalizeSubdomain(subdomain), tenant_type }),
    onSaved: (tenant) =>
      navigate({ to: '/tenants', state: arrivalAfter('tenant', `${tenant.name} was created.`, tenant) }),
    failure: 'Failed to create tenant',
  })
  const subdomain = normalizeSubdomain(form.values.subdomain)
  const name = form.getInputProps('name')

  /** The subdomain follows the name until an admin edits it. An emptied subdomain follows again. */
  function changeName(event: ChangeEvent<HTMLInputElement>) {
    const { name: before, subdomain: typed } = form.values
    const follows = typed === '' || typed === proposedSubdomain(before)
    name.onChange(event)
    if (follows) form.setFieldValue('subdomain', proposedSubdomain(event.currentTarget.value))
  }

  return (
    <Page title="New Tenant" subtitle="A client organization with its own assistant.">
      <PageForm
        form={form}
        submit="Create Tenant"
        isSubmitDisabled={form.values.name.trim() === '' || subdomain === ''}
        cancel={{ to: '/tenants' }}
      >
        <TextInput label="Tenant Name" maxLength={TENANT_NAME_MAX} required {...name} onChange={changeName} />
        <TextInput
          label="Subdomain"
          description={<SubdomainHint subdomain={subdomain} />}
          required
          autoCapitalize="none"
          autoComplete="off"
          spellCheck={false}
          classNames={{ input: 'mono' }}
          {...form.getInputProps('subdomain')}
        />
        <NativeSelect
          label="Business Type"
          description="Decides which AI prompts and tools customers experience."
          data={TYPE_OPTIONS}
          {...form.getInputProps('tenant_type')}
        />
      </PageForm>
    </Page>
  )
}

/** The use of the subdomain, its rule, and the resulting URL. */
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
