import { Button } from '@mantine/core'
import { Card } from '#src/ui/card/card.tsx'
import { useSendTestMail } from './mail.api.ts'

/** Tries the mail settings of the server. */
export function MailCard() {
  const test = useSendTestMail()
  return (
    <Card
      title="Mail"
      help="Invitations and password resets are sent by mail. A test mail goes to your own address."
      action={
        <Button variant="default" loading={test.isPending} onClick={() => test.mutate()}>
          Send test mail
        </Button>
      }
    />
  )
}
