import { Button } from '@mantine/core'
import type { SignInChallenge } from '@switchboard/contract/auth/challenge'
import { queryClient } from '#src/lib/query-client.ts'
import { leaveExpiredSession } from '#src/lib/session.ts'
import { Dialog, DialogFooter, DialogMain } from '#src/ui/dialog/dialog.tsx'
import { SecondStep } from './second-step.tsx'

type Props = { challenge: SignInChallenge; onEnded: (message: string) => void }

/** The second step of a sign-in over a page with unsaved changes. */
export function SecondStepDialog({ challenge, onEnded }: Props) {
  return (
    <Dialog title="Your session has ended" size="sm" closable={false} onClose={leaveExpiredSession}>
      <DialogMain>
        <SecondStep challenge={challenge} onEnded={onEnded} onDone={() => void queryClient.invalidateQueries()} />
      </DialogMain>
      <DialogFooter>
        <Button variant="default" onClick={leaveExpiredSession}>
          Discard changes
        </Button>
      </DialogFooter>
    </Dialog>
  )
}
