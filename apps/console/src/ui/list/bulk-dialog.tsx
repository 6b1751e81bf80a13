import { Button, TextInput } from '@mantine/core'
import { BULK_DELETE_UNTYPED_MAX, type BulkAnswer, type BulkResult } from '@switchboard/contract/wire/bulk'
import { useEffect, useRef, useState } from 'react'
import { messageOf } from '#src/lib/call-error.ts'
import { counted } from '#src/lib/format/count.ts'
import { notify } from '#src/lib/notify.ts'
import { queryClient } from '#src/lib/query-client.ts'
import { bulkResults } from '#src/lists/run-bulk.ts'
import { useLeaveGuard } from '#src/ui/form/use-leave-guard.ts'
import css from './bulk-dialog.module.css'
import { Dialog, DialogFooter, DialogMain, DialogText } from '#src/ui/dialog/dialog.tsx'
import { Notice } from '#src/ui/page/notice.tsx'
import { ProgressBar } from '#src/ui/dialog/progress-bar.tsx'

/** So many refused rows are shown; the others are counted. */
const SHOWN_MAX = 100

type Props = {
  title: string
  noun: string
  action: { name: string; label: string; done: string; meaning: string }
  ids: readonly string[]
  act: (ids: string[]) => Promise<BulkAnswer>
  /** `isOver`: it was begun, so that what was selected is no longer what it was. */
  onClose: (isOver: boolean) => void
}

type Phase = { kind: 'asked' | 'running' | 'over' } | { kind: 'failed'; message: string }

/**
 * Asks, does it with progress, and says which rows were refused and why. Nothing but Stop and its end closes it
 * meanwhile.
 */
export function BulkDialog({ title, noun, action, ids, act, onClose }: Props) {
  const [phase, setPhase] = useState<Phase>({ kind: 'asked' })
  const [results, setResults] = useState<readonly BulkResult[]>([])
  const [typed, setTyped] = useState('')
  const stopping = useRef(new AbortController())
  useEffect(() => () => stopping.current.abort(), [])

  const isDanger = action.name === 'delete'
  const mustType = isDanger && ids.length > BULK_DELETE_UNTYPED_MAX
  const number = ids.length.toLocaleString('en-US')
  const isConfirmed = !mustType || typed.replaceAll(/[,\s]/g, '') === String(ids.length)
  const refused = results.filter(({ outcome }) => outcome === 'refused')
  const done = results.length - refused.length
  const left = (ids.length - results.length).toLocaleString('en-US')
  const doneText = (count: number) => `${counted(count, noun)} ${count === 1 ? 'was' : 'were'} ${action.done}.`

  async function run() {
    stopping.current = new AbortController()
    setPhase({ kind: 'running' })
    const all = [...results]
    try {
      for await (const some of bulkResults(ids.slice(all.length), act, stopping.current.signal)) {
        all.push(...some)
        setResults([...all])
      }
      if (all.length === ids.length && all.every(({ outcome }) => outcome === 'done')) {
        notify('ok', doneText(all.length))
        return onClose(true)
      }
      setPhase({ kind: 'over' })
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
    <Dialog title={title} size="sm" busy={isBusy} onClose={() => onClose(phase.kind !== 'asked')}>
      <DialogMain>
        <DialogText>
          {phase.kind === 'asked' && <p>{action.meaning}</p>}
          {phase.kind === 'asked' && mustType && (
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
          {(phase.kind === 'over' || phase.kind === 'failed') && (
            <p>
              {doneText(done)}
              {results.length < ids.length && ` ${left} not processed.`}
            </p>
          )}
          {!isBusy && refused.length > 0 && <Refused noun={noun} refused={refused} />}
        </DialogText>
      </DialogMain>
      <DialogFooter>
        {phase.kind === 'over' ? (
          <Button onClick={() => onClose(true)} data-autofocus>
            Close
          </Button>
        ) : (
          <>
            <Button
              variant="default"
              onClick={() => (isBusy ? stopping.current.abort() : onClose(phase.kind === 'failed'))}
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
        <p>and {(refused.length - SHOWN_MAX).toLocaleString('en-US')} more. The activity log lists all of them.</p>
      )}
    </div>
  )
}
