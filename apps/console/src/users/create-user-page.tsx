import { NativeSelect, TextInput } from '@mantine/core'
import { EMAIL_MAX } from '@switchboard/contract/auth/current-admin'
import { TENANT_ROLE_DEFAULT, type TenantRole, tenantRole } from '@switchboard/contract/users'
import { lengthProblem } from '@switchboard/contract/auth/passwords'
import { getRouteApi } from '@tanstack/react-router'
import { type SubmitEvent, useState } from 'react'
import { ButtonLink } from '#src/ui/page/button-link.tsx'
import formCss from '#src/ui/form/form.module.css'
import { NewPasswordField } from '#src/ui/form/new-password-field.tsx'
import { Notice } from '#src/ui/page/notice.tsx'
import { Page } from '#src/ui/page/page.tsx'
import { SubmitButton } from '#src/ui/form/submit-button.tsx'
import { fieldErrors, messageOf } from '#src/lib/call-error.ts'
import { notify } from '#src/lib/notify.ts'
import { usePasswordHint } from '#src/auth/passwords.api.ts'
import { type ChosenTenant, TenantSelect, useFirstTenant, useTenant } from '#src/tenants/tenant-select.tsx'
import { ROLE_OPTIONS } from './user-labels.ts'
import { useCreateUser } from './users.api.ts'

const REQUIRED = 'Email, password, and tenant are required.' // spec §5
const FAILED = 'Failed to create user. Please try again.' // spec §8

const route = getRouteApi('/signed-in/users/create')

/** Creates a user of a tenant (spec §2, Create user), of the one in the address where one is there. */
export function CreateUserPage() {
  const navigate = route.useNavigate()
  const { tenant_id: wantedId } = route.useSearch()
  const creation = useCreateUser()
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [role, setRole] = useState<TenantRole>(TENANT_ROLE_DEFAULT)
  const [chosen, setChosen] = useState<ChosenTenant | null>(null)
  const [problem, setProblem] = useState<'none' | 'missing' | 'short'>('none')
  const firstTenant = useFirstTenant()
  const wanted = useTenant(wantedId)
  const tenant = chosen ?? (wantedId === undefined || wanted === null ? firstTenant : (wanted ?? null))
  const errors = fieldErrors(creation.error)
  const tooShort = lengthProblem(password, 'tenant')
  const hint = usePasswordHint({
    password,
    owner: 'tenant',
    names: [email, tenant?.name ?? '', tenant?.subdomain ?? ''],
  })

  // What is missing, and what the server said of a field, stands until something changes.
  function edited() {
    if (problem === 'missing') setProblem('none')
    if (creation.isError) creation.reset()
  }

  function submit(event: SubmitEvent) {
    event.preventDefault()
    if (creation.isPending) return
    const isMissing = email.trim() === '' || password === '' || tenant === null
    setProblem(isMissing ? 'missing' : tooShort !== null ? 'short' : 'none')
    if (isMissing || tooShort !== null) return creation.reset()
    creation.mutate(
      { email: email.trim(), password, role, tenant_id: tenant.id },
      {
        onSuccess: (admin) => {
          notify('ok', `${admin.email} was created.`)
          void navigate({ to: '/users' })
        },
      },
    )
  }

  return (
    <Page title="New User" subtitle="A person who manages one tenant.">
      <form className={formCss.card} onSubmit={submit} noValidate>
        {problem === 'missing' && <Notice tone="bad">{REQUIRED}</Notice>}
        {creation.isError && Object.keys(errors).length === 0 && (
          <Notice tone="bad">{messageOf(creation.error, FAILED)}</Notice>
        )}
        <TextInput
          label="Email Address"
          type="email"
          value={email}
          maxLength={EMAIL_MAX}
          error={errors.email ?? (problem === 'missing' && email.trim() === '')}
          required
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          onChange={(event) => {
            setEmail(event.currentTarget.value)
            edited()
          }}
        />
        <NewPasswordField
          label="Password"
          value={password}
          error={
            problem === 'short' && tooShort !== null
              ? tooShort
              : (errors.password ?? (problem === 'missing' && password === ''))
          }
          owner="tenant"
          hint={hint}
          onChange={(typed) => {
            setPassword(typed)
            edited()
          }}
        />
        <NativeSelect
          label="Role"
          value={role}
          data={ROLE_OPTIONS}
          onChange={(event) => setRole(tenantRole.parse(event.currentTarget.value))}
        />
        <TenantSelect
          label="Tenant"
          placeholder="Search name or subdomain"
          value={tenant}
          error={errors.tenant_id ?? (problem === 'missing' && tenant === null)}
          required
          onChange={(selected) => {
            setChosen(selected)
            edited()
          }}
        />
        <div className={formCss.buttons}>
          <ButtonLink to="/users" variant="default" disabled={creation.isPending}>
            Cancel
          </ButtonLink>
          <SubmitButton loading={creation.isPending}>Create User</SubmitButton>
        </div>
      </form>
    </Page>
  )
}
