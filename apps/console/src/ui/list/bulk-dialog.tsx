import { Button, TextInput } from '@mantine/core'
import { BULK_DELETE_UNTYPED_MAX, type BulkAnswer, type BulkResult } from '@switchboard/contract/wire/bulk'
import { useEffect, useRef, useState } from 'react'
import { messageOf } from '#src/lib/call-error.ts'
import { counted, countText } from '#src/lib/format/count.ts'
import { notify } from '#src/lib/notify.ts'
import { queryClient } from '#src/lib/query-client.ts'
import { bulkResults } from '#src/lists/run-bulk.ts'
import { useLeaveGuard } from '#src/ui/form/use-leave-guard.ts'
import css from './bulk-dialog.module.css'
import { Dialog, DialogFooter, DialogMain, DialogText } from '#src/ui/dialog/dialog.tsx'
import { Notice } from '#src/ui/page/notice.tsx'
import { ProgressBar } from '#src/ui/dialog/progress-bar.tsx'

/** Refused rows shown; the others are counted. */
const SHOWN_MAX = 100

type Props = {
  title: string
  noun: string
  action: { name: string; label: string; done: string; consequence: string }
  ids: readonly string[]
  act: (ids: string[]) => Promise<BulkAnswer>
  /** `hasStarted`: some rows may have changed, so the selection is outdated. */
  onClose: (hasStarted: boolean) => void
}

type Phase = { kind: 'confirm' | 'running' | 'finished' } | { kind: 'failed'; message: string }

/**
 * Asks for a confirmation, acts on all rows, and lists the refused rows with their reasons. While the action runs, only
 * Stop ends the dialog.
 */
export function BulkDialog({ title, noun, action, ids, act, onClose }: Props) {
  const [phase, setPhase] = useState<Phase>({ kind: 'confirm' })
  const [results, setResults] = useState<readonly BulkResult[]>([])
  const [typed, setTyped] = useState('')
  const abort = useRef(new AbortController())
  useEffect(() => () => abort.current.abort(), [])

  const isDanger = action.name === 'delete'
  const mustType = isDanger && ids.length > BULK_DELETE_UNTYPED_MAX
  const number = countText(ids.length)
  const isConfirmed = !mustType || typed.replaceAll(/[,\s]/g, '') === String(ids.length)
  const refused = results.filter(({ outcome }) => outcome === 'refused')
  const done = results.length - refused.length
  const left = countText(ids.length - results.length)
  const doneText = (count: number) => `${counted(count, noun)} ${count === 1 ? 'was' : 'were'} ${action.done}.`

  async function run() {
    abort.current = new AbortController()
    setPhase({ kind: 'running' })
    const collected = [...results]
    try {
      for await (const batch of bulkResults(ids.slice(collected.length), act, abort.current.signal)) {
        collected.push(...batch)
        setResults([...collected])
      }
      if (collected.length === ids.length && collected.every(({ outcome }) => outcome === 'done')) {
        notify('ok', doneText(collected.length))
        return onClose(true)
      }
      setPhase({ kind: 'finished' })
    } catch (error) {
      setPhase({ kind: 'failed', message: messageOf(error, 'The server gave an unexpected answer.') })
    } finally {
      void queryClient.invalidateQueries()
    }
  }

  const isBusy = phase.kind === 'running'
  useLeaveGuard(
    () => isBusy,
    () => {
      notify('bad', `Stop the running change before leaving. ${doneText(done)}`)
      return false
    },
  )
  return (
    <Dialog title={title} size="sm" busy={isBusy} onClose={() => onClose(phase.kind !== 'confirm')}>
      <DialogMain>
        <DialogText>
          {phase.kind === 'confirm' && <p>{action.consequence}</p>}
          {phase.kind === 'confirm' && mustType && (
            <TextInput
              label={`Type ${number} to delete them`}
              inputMode="numeric"
              autoComplete="off"
              value={typed}
              onChange={(event) => setTyped(event.currentTarget.value)}
              onKeyDown={(event) => {
                if (event.key === 'Enter' && isConfirmed) void run()
              }}
            />
          )}
          {isBusy && <ProgressBar label={title} done={results.length} total={ids.length} unit={noun} />}
          {phase.kind === 'failed' && <Notice tone="bad">{phase.message}</Notice>}
          {(phase.kind === 'finished' || phase.kind === 'failed') && (
            <p>
              {doneText(done)}
              {results.length < ids.length && ` ${left} not processed.`}
            </p>
          )}
          {!isBusy && refused.length > 0 && <Refused noun={noun} refused={refused} />}
        </DialogText>
      </DialogMain>
      <DialogFooter>
        {phase.kind === 'finished' ? (
          <Button onClick={() => onClose(true)} data-autofocus>
            Close
          </Button>
        ) : (
          <>
            <Button
              variant="default"
              onClick={() => (isBusy ? abort.current.abort() : onClose(phase.kind === 'failed'))}
              data-autofocus
            >
              {isBusy ? 'Stop' : phase.kind === 'failed' ? 'Close' : 'Cancel'}
            </Button>
            <Button {...(isDanger && { color: 'red' })} disabled={isBusy || !isConfirmed} onClick={() => void run()}>
              {isBusy ? 'Processing...' : phase.kind === 'failed' ? 'Continue' : action.label}
            </Button>
          </>
        )}
      </DialogFooter>
    </Dialog>
  )
}

function Refused({ noun, refused }: { noun: string; refused: readonly BulkResult[] }) {
  return (
    <div className={css.refused}>
      <h3 className={css.heading}>{counted(refused.length, noun)} refused</h3>
      <ul className={css.list} aria-label="Refused">
        {refused.slice(0, SHOWN_MAX).map(({ id, name, reason }) => (
          <li key={id} className={css.item}>
            <strong dir="auto">{name ?? id}</strong>
            <span>{reason}</span>
          </li>
        ))}
      </ul>
      {refused.length > SHOWN_MAX && (
        <p>and {countText(refused.length - SHOWN_MAX)} more. The activity log lists all of them.</p>
      )}
    </div>
  )
}
