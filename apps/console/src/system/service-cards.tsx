import { Button } from '@mantine/core'
import type { SystemReport } from '@switchboard/contract/system'
import { Badge } from '#src/ui/badge/badge.tsx'
import { Card } from '#src/ui/card/card.tsx'
import { Fact, Facts } from '#src/ui/card/facts.tsx'
import { RelativeTime } from '#src/ui/time/relative-time.tsx'
import { googleState, MAIL_STATE_LABELS } from './system-labels.ts'
import { useSendTestMail } from './system.api.ts'

type Props = { report: SystemReport | undefined }

export function GoogleCard({ report }: Props) {
  const google = report?.google
  return (
    <Card title="Google" help="What the last runs of tasks reported. Google is not called here: a call is charged.">
      <Facts>
        <Fact term="Key">{google && <Badge {...googleState(google)} dot />}</Fact>
        <Fact term="Last success">
          {google && (google.last_success_at ? <RelativeTime moment={google.last_success_at} /> : 'None')}
        </Fact>
        <Fact term="Last failure">{google && <LastFailure failure={google.last_failure} />}</Fact>
      </Facts>
    </Card>
  )
}

function LastFailure({ failure }: { failure: SystemReport['google']['last_failure'] }) {
  if (failure === null) return 'None'
  return (
    <>
      <RelativeTime moment={failure.at} />
      <div className="ink-3">{failure.message ?? failure.reason}</div>
    </>
  )
}

/** Mail, with a test of the settings. */
export function MailCard({ report }: Props) {
  const test = useSendTestMail()
  const mail = report?.mail
  return (
    <Card
      title="Mail"
      help="Invitations and password resets are sent by mail. A test mail goes to your own address."
      action={
        mail?.is_on && (
          <Button variant="default" loading={test.isPending} onClick={() => test.mutate()}>
            Send Test Mail
          </Button>
        )
      }
    >
      <Facts>
        <Fact term="Mail server">{mail && <MailServer isOn={mail.is_on} />}</Fact>
        <Fact term="Newest mail">{mail && <NewestMail mail={mail} />}</Fact>
      </Facts>
    </Card>
  )
}

/** Only a test mail shows whether the mail server answers. */
function MailServer({ isOn }: { isOn: boolean }) {
  return (
    <>
      <Badge tone="neutral" text={isOn ? 'On' : 'Off'} dot />
      {!isOn && <div className="ink-3">SMTP_URL is not set.</div>}
    </>
  )
}

function NewestMail({ mail: { newest } }: { mail: SystemReport['mail'] }) {
  if (newest === null) return 'None'
  return (
    <>
      {MAIL_STATE_LABELS[newest.state]}, queued <RelativeTime moment={newest.queued_at} />
      {newest.problem !== null && <div className="ink-3">{newest.problem}</div>}
    </>
  )
}
