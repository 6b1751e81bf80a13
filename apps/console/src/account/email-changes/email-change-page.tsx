import { Button } from '@mantine/core'
import { LINK_REFUSED } from '@switchboard/contract/links'
import { useQuery } from '@tanstack/react-query'
import { useLoaderData } from '@tanstack/react-router'
import { useState } from 'react'
import { Form } from '#src/ui/form/form.tsx'
import { useFormFrame } from '#src/ui/form/use-form-frame.ts'
import { LinkDone, LinkError, LinkPage } from '#src/ui/page/panel-page.tsx'
import { openedEmailChangeQuery, useConfirmEmailChange } from './email-changes.api.ts'

/**
 * The page that the link in the mail opens. The address changes only when the button is pressed, because mail scanners
 * open links too.
 */
export function EmailChangePage() {
  const token = useLoaderData({ from: '/email-change' })
  return (
    <LinkPage title="Confirm your new address" token={token}>
      {(opened) => <Opened token={opened} />}
    </LinkPage>
  )
}

function Opened({ token }: { token: string }) {
  const change = useQuery(openedEmailChangeQuery(token))
  if (change.isLoadingError) return <LinkError title="The link cannot be used" query={change} />
  if (change.data === undefined) return <output>Loading address...</output>
  return <Confirmation key={token} token={token} {...change.data} />
}

function Confirmation({ token, account, email }: { token: string; account: string; email: string }) {
  const confirm = useConfirmEmailChange()
  const [isConfirmed, setIsConfirmed] = useState(false)
  const form = useFormFrame({
    initialValues: {},
    send: () => confirm.mutateAsync({ token }),
    onSaved: () => setIsConfirmed(true),
    failure: LINK_REFUSED,
  })

  if (isConfirmed) return <LinkDone>Your account has the address {email}. All its sessions have ended.</LinkDone>
  return (
    <>
      <p>
        The account <strong>{account}</strong> gets the address <strong>{email}</strong>, and signs in with it from then
        on. All its sessions end.
      </p>
      <Form form={form}>
        <Button type="submit" fullWidth loading={form.submitting}>
          Confirm Address
        </Button>
      </Form>
    </>
  )
}
