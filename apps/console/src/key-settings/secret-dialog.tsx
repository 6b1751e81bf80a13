import { Button } from '@mantine/core'
import { useLeaveGuard } from '#src/ui/form/use-leave-guard.ts'
import { Dialog, DialogFooter, DialogMain } from '#src/ui/dialog/dialog.tsx'
import { CopyButton } from '#src/ui/page/copy-button.tsx'
import { Notice } from '#src/ui/page/notice.tsx'
import css from './secret-dialog.module.css'

/** Shows a new secret once. Only Done closes the dialog, and navigation is blocked, because the secret would be lost. */
export function SecretDialog({ secret, onDone }: { secret: string; onDone: () => void }) {
  useLeaveGuard(
    () => true,
    () => false,
  )
  return (
    <Dialog title="API Key Generated" closable={false} onClose={onDone}>
      <DialogMain>
        <div className={css.content}>
          <Notice tone="warn">Copy this key now. It is shown only once and cannot be recovered.</Notice>
          <div className={css.line}>
            <code className={css.secret}>{secret}</code>
            <CopyButton text={secret} noun="key" />
          </div>
          <p className={css.hint}>
            Origins are enforced for browsers only. Never commit this key or put it in public code.
          </p>
        </div>
      </DialogMain>
      <DialogFooter>
        <Button onClick={onDone}>Done</Button>
      </DialogFooter>
    </Dialog>
  )
}
