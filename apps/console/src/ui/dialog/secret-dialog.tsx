import { Button } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { titleCase } from '#src/lib/format/count.ts'
import { useLeaveGuard } from '#src/ui/form/use-leave-guard.ts'
import { CopyButton } from '#src/ui/button/copy-button.tsx'
import { Notice } from '#src/ui/notice/notice.tsx'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { Dialog, DialogFooter, DialogMain } from './dialog.tsx'
import css from './secret-dialog.module.css'

type Props = {
  title: string
  /** "key" */
  noun: string
  secret: string
  hint: string
  /** A shell command with the secret, and a sentence about it. A copy of the command is a copy of the secret. */
  example?: { about: string; command: string } | undefined
  onDone: () => void
  /** The owner of the secret. */
  children: ReactNode
}

/**
 * Shows a new secret once. Only Done closes the dialog, and asks when the secret was not copied. Navigation is blocked,
 * because the secret would be lost.
 */
export function SecretDialog({ title, noun, secret, hint, example, onDone, children }: Props) {
  const [isCopied, setIsCopied] = useState(false)
  const [isAsking, setIsAsking] = useState(false)
  useLeaveGuard(
    () => true,
    () => false,
  )
  return (
    <>
      <Dialog title={title} size="lg" closable={false} onClose={onDone}>
        <DialogMain>
          <div className={css.content}>
            <p>{children}</p>
            <Notice tone="warn">{`Copy this ${noun} now. It is shown only once and cannot be recovered.`}</Notice>
            <div className={css.line}>
              <code className={css.secret} onCopy={() => setIsCopied(true)}>
                {secret}
              </code>
              <CopyButton text={secret} noun={noun} onCopied={() => setIsCopied(true)} />
            </div>
            <p className="ink-2">{hint}</p>
            {example && (
              <div className={css.example}>
                <p className="ink-2">{example.about}</p>
                <pre className={css.command}>
                  <code onCopy={() => setIsCopied(true)}>{example.command}</code>
                </pre>
                <CopyButton
                  text={example.command}
                  noun="command"
                  label="Copy Command"
                  onCopied={() => setIsCopied(true)}
                />
              </div>
            )}
          </div>
        </DialogMain>
        <DialogFooter>
          <Button onClick={() => (isCopied ? onDone() : setIsAsking(true))}>Done</Button>
        </DialogFooter>
      </Dialog>
      {isAsking && (
        <ConfirmDialog
          title="Close Without a Copy"
          tone="warning"
          confirmLabel="Close Anyway"
          cancelLabel={`Back to the ${titleCase(noun)}`}
          onConfirm={onDone}
          onClose={() => setIsAsking(false)}
        >
          <p>{`The ${noun} was not copied, and it cannot be shown again.`}</p>
        </ConfirmDialog>
      )}
    </>
  )
}
