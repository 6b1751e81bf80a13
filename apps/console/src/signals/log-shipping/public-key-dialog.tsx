import { Button } from '@mantine/core'
import { CopyButton } from '#src/ui/button/copy-button.tsx'
import { Dialog, DialogFooter, DialogMain, DialogText } from '#src/ui/dialog/dialog.tsx'
import css from './public-key-dialog.module.css'

/** The key that verifies the signatures of daily files. */
export function PublicKeyDialog({ publicKey, onClose }: { publicKey: string; onClose: () => void }) {
  return (
    <Dialog title="Public Key" onClose={onClose}>
      <DialogMain>
        <DialogText>
          <p>
            With this key, saved as key.pem, anyone can verify that a file was not changed. Keep a copy outside of this
            installation.
          </p>
          <pre className={css.text}>{publicKey.trim()}</pre>
          <pre className={css.text}>
            openssl pkeyutl -verify -pubin -inkey key.pem -rawin -in FILE -sigfile FILE.sig
          </pre>
        </DialogText>
      </DialogMain>
      <DialogFooter>
        <Button variant="default" onClick={onClose}>
          Close
        </Button>
        <CopyButton text={publicKey} noun="key" label="Copy Key" />
      </DialogFooter>
    </Dialog>
  )
}
