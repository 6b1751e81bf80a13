import { Button } from '@mantine/core'
import type { User } from '@switchboard/contract/users'
import { Dialog, DialogFooter, DialogMain } from '#src/ui/dialog/dialog.tsx'
import { PortalSignIns } from './portal-sign-ins.tsx'

const SHOWN = 10

/** The sign-ins of a user to the portal of their tenant. */
export function PortalSignInsDialog({ user, onClose }: { user: User; onClose: () => void }) {
  return (
    <Dialog title={`Portal Sign-ins of ${user.email}`} onClose={onClose}>
      <DialogMain>
        <PortalSignIns of={{ user_id: user.id }} limit={SHOWN} />
      </DialogMain>
      <DialogFooter>
        <Button variant="default" onClick={onClose} data-autofocus>
          Close
        </Button>
      </DialogFooter>
    </Dialog>
  )
}
