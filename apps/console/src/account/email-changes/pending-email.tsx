import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Notice } from '#src/ui/notice/notice.tsx'
import { pendingText } from './email-change-labels.ts'
import { emailChangeQuery, useCancelEmailChange, useResendEmailChange } from './email-changes.api.ts'
import css from './pending-email.module.css'

/** Shows the pending email address of the signed-in admin, if there is one. */
export function PendingEmail({ id }: { id: string }) {
  const { data: pending } = useQuery(emailChangeQuery)
  const resend = useResendEmailChange()
  const cancel = useCancelEmailChange()
  if (!pending) return null
  const target = { id, newEmail: pending.email }
  return (
    <Notice tone={pending.mail_state === 'failed' ? 'warn' : 'info'}>
      <p className="wrap">{pendingText(pending)}</p>
      <div className={css.actions}>
        <Button
          variant="default"
          size="compact-md"
          loading={resend.isPending}
          disabled={cancel.isPending}
          onClick={() => resend.mutate(target)}
        >
          Send Again
        </Button>
        <Button
          variant="default"
          size="compact-md"
          aria-label="Cancel the new address"
          loading={cancel.isPending}
          disabled={resend.isPending}
          onClick={() => cancel.mutate(target)}
        >
          Cancel
        </Button>
      </div>
    </Notice>
  )
}
