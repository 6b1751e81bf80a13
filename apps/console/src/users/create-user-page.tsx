import { NativeSelect } from '@mantine/core'
import { EMAIL_MAX } from '@switchboard/contract/auth/email-address'
import { nameOf } from '@switchboard/contract/auth/person-name'
import { lengthProblem } from '@switchboard/contract/auth/passwords'
import { TENANT_ROLE_DEFAULT, type TenantRole } from '@switchboard/contract/users'
import { getRouteApi } from '@tanstack/react-router'
import { usePasswordHint } from '#src/auth/passwords.api.ts'
import { arrivalAfter } from '#src/tenants/next-step-labels.ts'
import { type ChosenTenant, TenantSelect } from '#src/tenants/tenant-select.tsx'
import { useFirstTenant, useTenant } from '#src/tenants/tenants.api.ts'
import { NewPasswordField } from '#src/auth/new-password-field.tsx'
import { EmailField } from '#src/ui/form/email-field.tsx'
import { NameField } from '#src/ui/form/name-field.tsx'
import { PageForm } from '#src/ui/form/page-form.tsx'
import { useFormFrame } from '#src/ui/form/use-form-frame.ts'
import { Page } from '#src/ui/page/page.tsx'
import { ROLE_OPTIONS } from './user-labels.ts'
import { useCreateUser } from './users.api.ts'

const REQUIRED = 'Email, password, and tenant are required.'

type Draft = { email: string; name: string; password: string; role: TenantRole; tenant: ChosenTenant | null }
const EMPTY: Draft = { email: '', name: '', password: '', role: TENANT_ROLE_DEFAULT, tenant: null }

const route = getRouteApi('/signed-in/users/create')

/** Creates a user of a tenant. The default tenant is the tenant in the URL, otherwise the first by name. */
export function CreateUserPage() {
  const navigate = route.useNavigate()
  const { tenant_id: urlId } = route.useSearch()
  const list =
    urlId === undefined
      ? ({ to: '/users' } as const)
      : ({ to: '/tenants/$tenantId/users', params: { tenantId: urlId } } as const)
  const creation = useCreateUser()
  const firstTenant = useFirstTenant()
  const urlTenant = useTenant(urlId)
  // A tenant in the URL that is still loading or does not exist is not replaced by another one.
  const defaultTenant = urlId === undefined ? firstTenant : (urlTenant ?? null)
  // An admin may save before the tenant in the URL has loaded. Its id is enough.
  const defaultId = urlTenant === null ? undefined : (urlId ?? firstTenant?.id)
  const form = useFormFrame({
    initialValues: EMPTY,
    validate: (values) => errorsOfEntry(values, values.tenant?.id ?? defaultId),
    inputs: { tenant_id: 'tenant' },
    send: ({ email, name, password, role, tenant: chosen }) =>
      creation.mutateAsync({
        email: email.trim(),
        name: nameOf(name),
        password,
        role,
        tenant_id: chosen?.id ?? defaultId ?? '',
      }),
    onSaved: async (user): Promise<void> => {
      const done = `${user.email} was created.`
      await navigate({ ...list, state: tenant ? arrivalAfter('user', done, tenant) : {} })
    },
    failure: 'Failed to create user. Please try again.',
  })
  const { email, password } = form.values
  const tenant = form.values.tenant ?? defaultTenant
  const names = [email, tenant?.name ?? '', tenant?.subdomain ?? '']
  const hint = usePasswordHint({ password, owner: 'tenant', names, isSaving: form.submitting })

  return (
    <Page title="New User" subtitle="A person who manages one tenant.">
      <PageForm form={form} submit="Create User" cancel={list}>
        <EmailField label="Email Address" maxLength={EMAIL_MAX} autoComplete="off" {...form.getInputProps('email')} />
        <NameField {...form.getInputProps('name')} />
        <NewPasswordField label="Password" owner="tenant" hint={hint} {...form.control('password')} />
        <NativeSelect label="Role" data={ROLE_OPTIONS} {...form.getInputProps('role')} />
        <TenantSelect label="Tenant" required {...form.control('tenant')} value={tenant} />
      </PageForm>
    </Page>
  )
}

function errorsOfEntry({ email, password }: Draft, tenantId: string | undefined) {
  const missing = { email: email.trim() === '', password: password === '', tenant: tenantId === undefined }
  if (Object.values(missing).includes(true)) return { '': REQUIRED, ...missing }
  return { password: lengthProblem(password, 'tenant') }
}
