import { Button } from '@mantine/core'
import { Dialog, DialogFooter, DialogMain, DialogText } from '#src/ui/dialog/dialog.tsx'
import { useLeaveGuard } from '#src/ui/form/use-leave-guard.ts'
import { CopyButton } from '#src/ui/button/copy-button.tsx'
import { Notice } from '#src/ui/notice/notice.tsx'
import css from './second-factors.module.css'

/** Shows new recovery codes once. Only its button closes the dialog, and navigation is blocked. */
export function RecoveryCodesDialog({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  useLeaveGuard(
    () => true,
    () => false,
  )
  return (
    <Dialog title="Your Recovery Codes" size="lg" closable={false} onClose={onClose}>
      <DialogMain>
        <DialogText>
          <p>Each code signs you in once, in place of your second factor, for example when your phone is lost.</p>
          <Notice tone="warn">Save these codes now. They are shown only once. Older codes no longer work.</Notice>
          <ul className={css.codes} aria-label="Recovery codes">
            {codes.map((code) => (
              <li key={code}>{code}</li>
            ))}
          </ul>
          <div>
            <CopyButton text={codes.join('\n')} noun="codes" />
          </div>
        </DialogText>
      </DialogMain>
      <DialogFooter>
        <Button onClick={onClose}>I Have Saved Them</Button>
      </DialogFooter>
    </Dialog>
  )
}
