import { Button } from '@mantine/core'
import type { NewApiKey } from '@switchboard/contract/api-keys'
import { useState } from 'react'
import { useLeaveGuard } from '#src/ui/form/use-leave-guard.ts'
import { ConfirmDialog } from '#src/ui/dialog/confirm-dialog.tsx'
import { Dialog, DialogFooter, DialogMain } from '#src/ui/dialog/dialog.tsx'
import { CopyButton } from '#src/ui/page/copy-button.tsx'
import { Notice } from '#src/ui/page/notice.tsx'
import { letInText } from '#src/origins/origin-labels.ts'
import css from './secret-dialog.module.css'

type Props = { apiKey: Pick<NewApiKey, 'api_key' | 'name' | 'tenant_name' | 'allowed_origins'>; onDone: () => void }

/**
 * Shows a new secret once. Only Done closes the dialog, and asks when the secret was not copied. Navigation is blocked,
 * because the secret would be lost.
 */
export function SecretDialog({ apiKey, onDone }: Props) {
  const [isCopied, setIsCopied] = useState(false)
  const [isAsking, setIsAsking] = useState(false)
  useLeaveGuard(
    () => true,
    () => false,
  )
  return (
    <>
      <Dialog title="API Key Generated" size="lg" closable={false} onClose={onDone}>
        <DialogMain>
          <div className={css.content}>
            <p>
              <strong dir="auto">{apiKey.name}</strong> of <bdi>{apiKey.tenant_name}</bdi>
            </p>
            <Notice tone="warn">Copy this key now. It is shown only once and cannot be recovered.</Notice>
            <div className={css.line}>
              <code className={css.secret} onCopy={() => setIsCopied(true)}>
                {apiKey.api_key}
              </code>
              <CopyButton text={apiKey.api_key} noun="key" onCopied={() => setIsCopied(true)} />
            </div>
            <p className={css.hint}>
              {letInText(apiKey.allowed_origins)} Origins are enforced for browsers only. Never commit this key or put
              it in public code.
            </p>
          </div>
        </DialogMain>
        <DialogFooter>
          <Button onClick={() => (isCopied ? onDone() : setIsAsking(true))}>Done</Button>
        </DialogFooter>
      </Dialog>
      {isAsking && (
        <ConfirmDialog
          title="Close without a copy"
          tone="warning"
          confirmLabel="Close anyway"
          cancelLabel="Back to the key"
          onConfirm={onDone}
          onClose={() => setIsAsking(false)}
        >
          <p>The key was not copied, and it cannot be shown again.</p>
        </ConfirmDialog>
      )}
    </>
  )
}
