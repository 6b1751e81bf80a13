import { Button, TextInput } from '@mantine/core'
import { chainEnd, type ChainCheck } from '@switchboard/contract/activity'
import { Link } from '@tanstack/react-router'
import { type SubmitEvent, useEffect, useId, useRef, useState } from 'react'
import * as z from 'zod/mini'
import { CopyButton } from '#src/ui/button/copy-button.tsx'
import { Dialog, DialogFooter, DialogMain } from '#src/ui/dialog/dialog.tsx'
import { Notice } from '#src/ui/notice/notice.tsx'
import { ProgressBar } from '#src/ui/dialog/progress-bar.tsx'
import { commandHere } from '#src/lib/console-settings.ts'
import { messageOf } from '#src/lib/call-error.ts'
import { counted } from '#src/lib/format/count.ts'
import { useCheckChain } from './activity.api.ts'
import css from './chain-dialog.module.css'

const INVALID_CHECKPOINT = 'A checkpoint is a row number, a colon and 64 hexadecimal digits, as this check shows it.'

/** Verifies the hash chain in batches. Closing the dialog stops the check. */
export function ChainDialog({ onClose }: { onClose: () => void }) {
  const formId = useId()
  const checking = useCheckChain()
  const [typed, setTyped] = useState('')
  const [error, setError] = useState<string | null>(null)
  const [part, setPart] = useState<ChainCheck | null>(null)
  const stop = useRef(new AbortController())
  useEffect(() => {
    const controller = new AbortController()
    stop.current = controller
    return () => controller.abort()
  }, [])

  function check(event: SubmitEvent) {
    event.preventDefault()
    const checkpoint = typed.trim()
    if (checkpoint !== '' && !z.safeParse(chainEnd, checkpoint).success) return setError(INVALID_CHECKPOINT)
    // After a failed call, the check continues from the last verified entry.
    const after = checking.isError ? part?.checked : undefined
    const { signal } = stop.current
    checking.mutate({ checkpoint: checkpoint === '' ? undefined : checkpoint, after, signal, onPart: setPart })
  }

  return (
    <Dialog title="Verify Chain" size="md" onClose={onClose}>
      <DialogMain>
        <form id={formId} className="stack" onSubmit={check} noValidate>
          <p>
            Each row holds the hash of the previous row. The check recomputes every hash and finds rows that were
            changed, removed or inserted. It also compares the views and triggers of the log with this release.
          </p>
          <TextInput
            label="Earlier checkpoint (optional)"
            description="Needed to detect rows removed from the end of the log."
            value={typed}
            maxLength={100}
            autoComplete="off"
            spellCheck={false}
            disabled={checking.isPending}
            error={error}
            classNames={{ input: 'mono wrap' }}
            onChange={(event) => {
              setTyped(event.currentTarget.value)
              setError(null)
            }}
          />
          {checking.isPending && (
            <ProgressBar label="Rows checked" done={part?.checked_rows ?? 0} total={part?.rows} unit="row" />
          )}
          {checking.isError && (
            <Notice tone="bad">
              {messageOf(checking.error, 'The check was interrupted.')} Verify again to continue.
            </Notice>
          )}
          {checking.isSuccess && <Result check={checking.data} checkpoint={checking.variables.checkpoint} />}
        </form>
      </DialogMain>
      <DialogFooter>
        <Button variant="default" onClick={onClose}>
          {checking.isPending ? 'Stop' : 'Close'}
        </Button>
        <Button type="submit" form={formId} loading={checking.isPending} data-autofocus>
          Verify
        </Button>
      </DialogFooter>
    </Dialog>
  )
}

function Result({ check, checkpoint }: { check: ChainCheck; checkpoint: string | undefined }) {
  const { deleted_rows: deleted = 0, unsealed_entries: unsealed = 0, unsealed_seconds: seconds = 0 } = check
  if (check.state === 'broken') {
    return (
      <Notice tone="bad">
        The chain is broken. {check.problem} Intact before it: {counted(check.checked_rows - deleted, 'row')}.
        {check.broken_row !== null && (
          <>
            {' '}
            <Link to="/settings/activity" search={{ row: String(check.broken_row) }} className={css.row}>
              Look at row {check.broken_row}
            </Link>
          </>
        )}
      </Notice>
    )
  }
  return (
    <>
      <Notice tone="ok">
        Log intact: {counted(check.rows - deleted, 'row')} verified.
        {deleted > 0 && ` Deleted before: ${counted(deleted, 'older row')}.`}
      </Notice>
      {deleted > 0 && (
        <Notice tone="warn">
          The log keeps only the hash of the last deleted row of each month. <code>{commandHere('audit:verify')}</code>{' '}
          compares them with the files of a log sink.
        </Notice>
      )}
      {unsealed > 0 && (
        <Notice tone="warn">
          Not proven: {counted(unsealed, 'newest entry', 'newest entries')}, not sealed for up to{' '}
          {counted(seconds, 'second')}. Until a worker seals them, the owner of the database can change or remove them
          without a trace.
        </Notice>
      )}
      {checkpoint !== undefined && Number.parseInt(checkpoint, 10) <= deleted && (
        <Notice tone="warn">
          The row of the checkpoint was deleted. The command <code>{commandHere('audit:verify')}</code> compares it with
          the files.
        </Notice>
      )}
      <div>
        <div className={css.label}>Checkpoint: keep a copy outside this database</div>
        <div className={css.checkpoint}>
          <code className="mono wrap">{check.checked}</code>
          <CopyButton text={check.checked} noun="checkpoint" />
        </div>
      </div>
    </>
  )
}
