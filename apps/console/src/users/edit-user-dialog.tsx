import { isConsoleRole } from '@switchboard/contract/auth/current-admin'
import { Button, NativeSelect, TextInput } from '@mantine/core'
import { EMAIL_MAX } from '@switchboard/contract/auth/email-address'
import { nameOf } from '@switchboard/contract/auth/person-name'
import { staleUser, type UpdateUserBody, type User } from '@switchboard/contract/users'
import { EXTERNAL_ID_MAX } from '@switchboard/contract/wire/external-id'
import { Suspense, useState } from 'react'
import { NEW_ADDRESS_HINT } from '#src/account/email-changes/email-change-labels.ts'
import { lazyPart } from '#src/lib/lazy.tsx'
import { notify } from '#src/lib/notify.ts'
import { serverNow } from '#src/lib/server-clock.ts'
import { type ChosenTenant, TenantSelect } from '#src/tenants/tenant-select.tsx'
import { EmailField } from '#src/ui/form/email-field.tsx'
import { DialogForm } from '#src/ui/form/dialog-form.tsx'
import { type ComparedField, differences } from '#src/ui/form/differences.ts'
import { NameField } from '#src/ui/form/name-field.tsx'
import { RelativeTime } from '#src/ui/time/relative-time.tsx'
import formCss from '#src/ui/form/form.module.css'
import { RecordConflict } from '#src/ui/form/record-conflict.tsx'
import { useFormFrame } from '#src/ui/form/use-form-frame.ts'
import { ROLE_LABELS } from './role-labels.ts'
import { ACTIVE_OPTIONS, isWithoutPassword, ROLE_OPTIONS } from './user-labels.ts'
import { useUpdateUser } from './users.api.ts'

const PortalSignInsDialog = lazyPart(() =>
  import('./portal-sign-ins/portal-sign-ins-dialog.tsx').then((code) => code.PortalSignInsDialog),
)
const SetPasswordDialog = lazyPart(() => import('./set-password-dialog.tsx').then((code) => code.SetPasswordDialog))

type Draft = {
  email: string
  name: string
  external_id: string
  role: User['role']
  tenant: ChosenTenant | null
  is_active: 'true' | 'false'
}

/** Edits the version of a user that the dialog was opened with. An account of the console has no choice of role and tenant. */
export function EditUserDialog({ user, onClose }: { user: User; onClose: () => void }) {
  const update = useUpdateUser()
  const [open, setOpen] = useState<'none' | 'password' | 'sign-ins'>('none')
  const closeOther = () => setOpen('none')
  const isOfConsole = user.tenant_id === null
  const form = useFormFrame({
    initialValues: draftOf(user),
    validate: ({ email, tenant }) => ({
      email: email.trim() === '' && 'Enter a valid email address.',
      tenant: !isOfConsole && tenant === null && 'No tenant selected.',
    }),
    inputs: { tenant_id: 'tenant' },
    record: user,
    about: { id: user.id, noun: 'user' },
    stale: staleUser,
    send: async (values, latest) => {
      const before = latest ?? user
      return { before, saved: await update.mutateAsync({ user: before, body: bodyOf(values) }) }
    },
    onSaved: ({ before, saved }) => {
      onClose()
      if (saved.pending_email !== undefined)
        notify(
          'ok',
          `${saved.email} keeps this address until the link in the mail to ${saved.pending_email} is opened.`,
        )
      const fields = differences(FIELDS, draftOf(before), draftOf(saved)).map(({ label }) => inSentence(label))
      if (fields.length === 0 && saved.pending_email !== undefined) return
      if (fields.length === 0) return notify('ok', `${saved.email} has no changes.`, { about: saved.id })
      return notify('ok', `${saved.email}: ${new Intl.ListFormat('en-US').format(fields)} changed.`, {
        about: saved.id,
        onUndo: async () => {
          await update.mutateAsync({ user: saved, body: bodyOf(draftOf(before)) })
          return `${before.email} is as before.`
        },
      })
    },
    failure: 'Failed to update user.',
  })

  return (
    <DialogForm title="Edit User" form={form} submit="Save Changes" submitting="Updating..." onClose={onClose}>
      <RecordConflict
        form={form}
        draftOf={draftOf}
        differencesTo={(saved) => differences(FIELDS, draftOf(saved), trimmed(form.values))}
      />
      <EmailField
        label="Email Address"
        maxLength={EMAIL_MAX}
        data-autofocus
        autoComplete="off"
        description={isOfConsole && NEW_ADDRESS_HINT}
        {...form.getInputProps('email')}
      />
      <NameField {...form.getInputProps('name')} />
      {isOfConsole ? (
        <p>A person who runs the console belongs to no tenant. The team page changes the role.</p>
      ) : (
        <TenantSelect label="Tenant" required pushesDown {...form.control('tenant')} />
      )}
      <div className={formCss.pair}>
        {!isOfConsole && <NativeSelect label="Role" data={ROLE_OPTIONS} {...form.getInputProps('role')} />}
        <NativeSelect
          label="Status"
          description="Inactive users cannot sign in."
          data={[...ACTIVE_OPTIONS]}
          {...form.getInputProps('is_active')}
        />
      </div>
      {!isOfConsole && (
        <TextInput
          label="External ID"
          description="The ID of this user in another system, such as the billing system."
          maxLength={EXTERNAL_ID_MAX}
          autoCapitalize="none"
          spellCheck={false}
          {...form.getInputProps('external_id')}
        />
      )}
      {isWithoutPassword(user) && <InvitationState user={user} />}
      {!isOfConsole && (
        <div className={formCss.pair}>
          <Button variant="default" disabled={form.submitting} onClick={() => setOpen('password')}>
            Set Password…
          </Button>
          <Button variant="default" disabled={form.submitting} onClick={() => setOpen('sign-ins')}>
            Portal Sign-ins
          </Button>
        </div>
      )}
      <Suspense>
        {open === 'password' && <SetPasswordDialog user={user} onClose={closeOther} />}
        {open === 'sign-ins' && <PortalSignInsDialog user={user} onClose={closeOther} />}
      </Suspense>
    </DialogForm>
  )
}

function draftOf({ email, name, external_id, role, tenant_id, tenant_name, is_active }: User): Draft {
  const tenant = tenant_id === null ? null : { id: tenant_id, name: tenant_name ?? '' }
  return {
    email,
    name: name ?? '',
    external_id: external_id ?? '',
    role,
    tenant,
    is_active: is_active ? 'true' : 'false',
  }
}

function InvitationState({ user: { invitation } }: { user: User }) {
  if (invitation === null) return <p>This user has no password yet.</p>
  const { created_at, expires_at, mail_problem } = invitation
  return (
    <p>
      Invited <RelativeTime moment={created_at} />, and has not chosen a password yet. The link{' '}
      {Date.parse(expires_at) > serverNow() ? 'ends' : 'ended'} <RelativeTime moment={expires_at} />. {mail_problem}
    </p>
  )
}

/** "Email Address" as "email address", "External ID" as "external ID". */
function inSentence(label: string): string {
  return label.replaceAll(/[A-Z](?=[a-z])/g, (letter) => letter.toLowerCase())
}

function trimmed(draft: Draft): Draft {
  return { ...draft, email: draft.email.trim(), name: draft.name.trim(), external_id: draft.external_id.trim() }
}

function bodyOf({ email, name, external_id, role, tenant, is_active }: Draft): UpdateUserBody {
  const ofTenant =
    isConsoleRole(role) || tenant === null
      ? {}
      : { role, tenant_id: tenant.id, external_id: external_id.trim() || null }
  return { email: email.trim(), name: nameOf(name), is_active: is_active === 'true', ...ofTenant }
}

const FIELDS: ComparedField<Draft>[] = [
  { label: 'Email Address', text: ({ email }) => email },
  { label: 'Name', text: ({ name }) => name },
  { label: 'Tenant', text: ({ tenant }) => tenant?.name ?? '' },
  { label: 'Role', text: ({ role }) => ROLE_LABELS[role] },
  { label: 'External ID', text: ({ external_id }) => external_id },
  { label: 'Status', text: ({ is_active }) => (is_active === 'true' ? 'Active' : 'Inactive') },
]
