import { NativeSelect } from '@mantine/core'
import { EMAIL_MAX } from '@switchboard/contract/auth/email-address'
import { nameOf } from '@switchboard/contract/auth/person-name'
import { lengthProblem } from '@switchboard/contract/auth/passwords'
import { INVITATION_HOURS } from '@switchboard/contract/links'
import { type CreatedUser, TENANT_ROLE_DEFAULT, type TenantRole } from '@switchboard/contract/users'
import { getRouteApi } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { usePasswordHint } from '#src/auth/passwords.api.ts'
import { consoleSettings } from '#src/lib/console-settings.ts'
import { lazyPart } from '#src/lib/lazy.tsx'
import { arrivalAfter } from '#src/tenants/next-step-labels.ts'
import { type ChosenTenant, TenantSelect } from '#src/tenants/tenant-select.tsx'
import { useFirstTenant, useTenant } from '#src/tenants/tenants.api.ts'
import { NewPasswordField } from '#src/auth/new-password-field.tsx'
import { CheckField } from '#src/ui/form/check-field.tsx'
import { EmailField } from '#src/ui/form/email-field.tsx'
import { NameField } from '#src/ui/form/name-field.tsx'
import { PageForm } from '#src/ui/form/page-form.tsx'
import { useFormFrame } from '#src/ui/form/use-form-frame.ts'
import { Page } from '#src/ui/page/page.tsx'
import { ROLE_OPTIONS } from './user-labels.ts'
import { useCreateUser } from './users.api.ts'

const InvitationLinkDialog = lazyPart(() =>
  import('#src/team/invitations/invitation-link-dialog.tsx').then((code) => code.InvitationLinkDialog),
)

const REQUIRED = 'Email, password, and tenant are required.'
const REQUIRED_TO_INVITE = 'Email and tenant are required.'
const INVITATION_HELP = consoleSettings.mail
  ? `The user gets a mail with a link to the portal of the tenant. It works once and for ${INVITATION_HOURS} hours.`
  : `This server sends no mail: you get a link to pass on. It works once and for ${INVITATION_HOURS} hours.`

type Draft = {
  email: string
  name: string
  isInvited: boolean
  password: string
  role: TenantRole
  tenant: ChosenTenant | null
}
const EMPTY: Draft = { email: '', name: '', isInvited: false, password: '', role: TENANT_ROLE_DEFAULT, tenant: null }

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
  const [linked, setLinked] = useState<{ user: CreatedUser; link: string } | null>(null)
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
    send: ({ email, name, isInvited, password, role, tenant: chosen }) =>
      creation.mutateAsync({
        email: email.trim(),
        name: nameOf(name),
        ...(isInvited ? { send_invitation: true } : { password }),
        role,
        tenant_id: chosen?.id ?? defaultId ?? '',
      }),
    onSaved: async (user): Promise<void> => {
      const link = user.invitation_link ?? null
      if (link === null) return leave(user)
      setLinked({ user, link })
    },
    failure: 'Failed to create user. Please try again.',
  })
  const { email, isInvited, password } = form.values
  const tenant = form.values.tenant ?? defaultTenant
  const names = [email, tenant?.name ?? '', tenant?.subdomain ?? '']
  const hint = usePasswordHint({ password, owner: 'tenant', names, isSaving: form.submitting })

  async function leave({ email: created, invitation }: CreatedUser): Promise<void> {
    const done =
      invitation?.mail_state === 'queued' ? `${created} was created and gets an invitation.` : `${created} was created.`
    await navigate({ ...list, ignoreBlocker: true, state: tenant ? arrivalAfter('user', done, tenant) : {} })
  }

  return (
    <Page title="New User" subtitle="A person who manages one tenant.">
      <PageForm form={form} submit="Create User" cancel={list}>
        <EmailField label="Email Address" maxLength={EMAIL_MAX} autoComplete="off" {...form.getInputProps('email')} />
        <NameField {...form.getInputProps('name')} />
        {!isInvited && <NewPasswordField label="Password" owner="tenant" hint={hint} {...form.control('password')} />}
        <CheckField
          label="Send an invitation instead of a password"
          help={INVITATION_HELP}
          checked={isInvited}
          disabled={form.submitting}
          onChange={form.control('isInvited').onChange}
        />
        <NativeSelect label="Role" data={ROLE_OPTIONS} {...form.getInputProps('role')} />
        <TenantSelect label="Tenant" required {...form.control('tenant')} value={tenant} />
      </PageForm>
      <Suspense>
        {linked && (
          <InvitationLinkDialog email={linked.user.email} link={linked.link} onDone={() => void leave(linked.user)} />
        )}
      </Suspense>
    </Page>
  )
}

function errorsOfEntry({ email, isInvited, password }: Draft, tenantId: string | undefined) {
  const missing = {
    email: email.trim() === '',
    password: !isInvited && password === '',
    tenant: tenantId === undefined,
  }
  if (Object.values(missing).includes(true)) return { '': isInvited ? REQUIRED_TO_INVITE : REQUIRED, ...missing }
  return { password: !isInvited && lengthProblem(password, 'tenant') }
}
