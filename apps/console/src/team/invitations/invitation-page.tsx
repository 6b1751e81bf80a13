import { Button, TextInput } from '@mantine/core'
import { nameOf } from '@switchboard/contract/auth/person-name'
import type { InvitationBody } from '@switchboard/contract/invitations'
import { LINK_REFUSED } from '@switchboard/contract/links'
import { useQuery } from '@tanstack/react-query'
import { useLoaderData } from '@tanstack/react-router'
import { useState } from 'react'
import { NewPasswordField } from '#src/auth/new-password-field.tsx'
import { useLinkPasswordHint } from '#src/auth/passwords.api.ts'
import { chosenPasswordErrors } from '#src/auth/chosen-password-labels.ts'
import { consoleSettings } from '#src/lib/console-settings.ts'
import { Form } from '#src/ui/form/form.tsx'
import { NameField } from '#src/ui/form/name-field.tsx'
import { PasswordField } from '#src/ui/form/password-field.tsx'
import { useFormFrame } from '#src/ui/form/use-form-frame.ts'
import { LinkDone, LinkError, LinkPage } from '#src/ui/page/panel-page.tsx'
import { ROLE_LABELS } from '#src/users/role-labels.ts'
import { openedInvitationQuery, useAcceptInvitation } from './invitations.api.ts'

/** The page of the link of an invitation. */
export function InvitationPage() {
  const token = useLoaderData({ from: '/invitation' })
  return (
    <LinkPage title={`Join ${consoleSettings.brand_name}`} token={token}>
      {(opened) => <Opened token={opened} />}
    </LinkPage>
  )
}

function Opened({ token }: { token: string }) {
  const invitation = useQuery(openedInvitationQuery(token))
  if (invitation.isLoadingError) return <LinkError title="The invitation cannot be opened" query={invitation} />
  if (invitation.data === undefined) return <output>Loading invitation...</output>
  return <Acceptance key={token} token={token} invitation={invitation.data} />
}

function Acceptance({ token, invitation }: { token: string; invitation: InvitationBody }) {
  const { email, role } = invitation
  const accept = useAcceptInvitation()
  const [isAccepted, setIsAccepted] = useState(false)
  const form = useFormFrame({
    initialValues: { name: '', password: '', confirmed: '' },
    validate: chosenPasswordErrors,
    send: ({ name, password }) => accept.mutateAsync({ token, name: nameOf(name), password }),
    onSaved: () => setIsAccepted(true),
    failure: LINK_REFUSED,
  })
  const { password } = form.values
  const hint = useLinkPasswordHint({ kind: 'invitation', token, password, isSaving: form.submitting })

  if (isAccepted) return <LinkDone>The account of {email} is ready.</LinkDone>
  return (
    <>
      <p>
        You are invited to the console with the role <strong>{ROLE_LABELS[role]}</strong>. Choose a password for your
        account.
      </p>
      <Form form={form}>
        <TextInput label="Email" value={email} autoComplete="username" readOnly />
        <NameField autoComplete="name" data-autofocus {...form.getInputProps('name')} />
        <NewPasswordField label="New password" owner="console" hint={hint} {...form.control('password')} />
        <PasswordField label="Confirm new password" autoComplete="new-password" {...form.getInputProps('confirmed')} />
        <Button type="submit" fullWidth loading={form.submitting}>
          Accept Invitation
        </Button>
      </Form>
    </>
  )
}
