import { Button } from '@mantine/core'
import type { SignInChallenge } from '@switchboard/contract/auth/challenge'
import { CONFIRMED_MINUTES } from '@switchboard/contract/auth/confirmed'
import { SecondStep } from '#src/auth/second-step.tsx'
import { endConfirmation } from '#src/lib/confirmation.ts'
import { Dialog, DialogFooter, DialogMain } from '#src/ui/dialog/dialog.tsx'
import { confirmWithSecondFactor } from './confirmation.api.ts'

/** Asks for the second factor before a sensitive action continues. */
export function SecondFactorDialog({ challenge, onClose }: { challenge: SignInChallenge; onClose: () => void }) {
  return (
    <Dialog title="Confirm that it is you" size="sm" onClose={onClose}>
      <DialogMain>
        <p>This action needs your second factor. You will not be asked again for {CONFIRMED_MINUTES} minutes.</p>
        <SecondStep
          challenge={challenge}
          // A passkey that asks for neither a PIN nor a fingerprint is not enough by itself.
          needsPassword={challenge.passkey?.user_verification === 'preferred'}
          send={confirmWithSecondFactor}
          onEnded={onClose}
          onDone={() => endConfirmation(true)}
        />
      </DialogMain>
      <DialogFooter>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
      </DialogFooter>
    </Dialog>
  )
}
