import { Button, TextInput } from '@mantine/core'
import { BULK_CALL_MAX, BULK_DELETE_UNTYPED_MAX, type BulkResult } from '@switchboard/contract/wire/bulk'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { messageOf } from '#src/lib/call-error.ts'
import { counted, countText, titleCase } from '#src/lib/format/count.ts'
import { notify } from '#src/lib/notify.ts'
import { queryClient } from '#src/lib/query-client.ts'
import { useSession } from '#src/lib/session.ts'
import type { Bulk } from '#src/lists/list-api.ts'
import { bulkResults } from '#src/lists/run-bulk.ts'
import type { Selection } from '#src/lists/selection.ts'
import { bulkText, undoBulk } from '#src/lists/undo-bulk.ts'
import { BulkTargets } from './bulk-targets.tsx'
import { useLeaveGuard } from '#src/ui/form/use-leave-guard.ts'
import css from './bulk-dialog.module.css'
import { Dialog, DialogFooter, DialogMain, DialogText } from '#src/ui/dialog/dialog.tsx'
import { Notice } from '#src/ui/notice/notice.tsx'
import { ProgressBar } from '#src/ui/dialog/progress-bar.tsx'

/** Refused rows shown; the others are counted. */
const SHOWN_MAX = 100

type Props = {
  bulk: Bulk
  action: Bulk['actions'][number]
  selection: Pick<Selection, 'ids' | 'isByFilter'>
  /** `hasStarted`: some rows may have changed, so the selection is outdated. */
  onClose: (hasStarted: boolean) => void
}

type Phase = { kind: 'confirm' | 'running' | 'finished' } | { kind: 'failed'; message: string }

/**
 * Asks for a confirmation, acts on all rows, and lists the refused rows with their reasons. While the action runs, only
 * Stop ends the dialog.
 */
export function BulkDialog({ bulk, action, selection, onClose }: Props) {
  const { noun } = bulk
  const session = useSession()
  const ownId = action.sparesOwnAccount && session.kind === 'authenticated' ? session.admin.id : undefined
  // The selection as it was when the dialog opened.
  const [selected] = useState(() => [...selection.ids])
  const ids = selected.filter((id) => id !== ownId)
  const title = `${action.label} ${counted(ids.length, titleCase(noun))}`
  const [phase, setPhase] = useState<Phase>({ kind: 'confirm' })
  const [results, setResults] = useState<readonly BulkResult[]>([])
  const [typed, setTyped] = useState('')
  const abort = useRef(new AbortController())
  useEffect(() => () => abort.current.abort(), [])

  const mustType = action.name === 'delete' && ids.length > BULK_DELETE_UNTYPED_MAX
  const number = countText(ids.length)
  const isConfirmed = ids.length > 0 && (!mustType || typed.replaceAll(/[,\s]/g, '') === String(ids.length))
  const rowsWith = (outcome: BulkResult['outcome']) => results.filter((row) => row.outcome === outcome)
  const done = rowsWith('done').length
  const left = countText(ids.length - results.length)
  const doneText = (count: number) => bulkText(count, noun, action.done)

  const act = (some: string[]) => action.act(some, selection.isByFilter)

  /** Closes the dialog after the action, reports the result, and offers Undo. */
  function close(all: readonly BulkResult[]) {
    const changed = all.filter(({ is_changed }) => is_changed).map(({ id }) => id)
    const opposite = bulk.actions.find(({ name }) => name === action.opposite)
    const undo = opposite && {
      noun,
      done: opposite.done.startsWith('re') ? opposite.done : `${opposite.done} again`,
      ids: changed,
      nameOf: (id: string) => all.find((row) => row.id === id)?.name,
      act: (some: string[]) => opposite.act(some, false),
    }
    const count = all.filter(({ outcome }) => outcome === 'done').length
    if (count > 0)
      notify('ok', doneText(count), { onUndo: undo && changed.length > 0 ? () => undoBulk(undo) : undefined })
    onClose(true)
  }

  async function run() {
    abort.current = new AbortController()
    setPhase({ kind: 'running' })
    const collected = [...results]
    try {
      for await (const batch of bulkResults(ids.slice(collected.length), act, abort.current.signal)) {
        collected.push(...batch)
        setResults([...collected])
      }
      if (collected.length === ids.length && collected.every(({ outcome }) => outcome === 'done'))
        return close(collected)
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
    <Dialog
      title={title}
      size="sm"
      busy={isBusy}
      onClose={() => (phase.kind === 'confirm' ? onClose(false) : close(results))}
    >
      <DialogMain>
        <DialogText>
          {phase.kind === 'confirm' && (
            <>
              {ids.length > 0 && <p>{action.consequence}</p>}
              <BulkTargets ids={ids} nameOf={bulk.nameOf} />
              {ids.length < selected.length && (
                <p>
                  {ids.length === 0
                    ? `You cannot ${action.label.toLowerCase()} your own account.`
                    : 'You are among them; your own account is left out.'}
                </p>
              )}
              <Effects ids={ids} action={action} />
            </>
          )}
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
          {!isBusy && <LeftOut noun={noun} title="skipped" rows={rowsWith('skipped')} />}
          {!isBusy && <LeftOut noun={noun} title="refused" rows={rowsWith('refused')} />}
        </DialogText>
      </DialogMain>
      <DialogFooter>
        {phase.kind === 'finished' ? (
          <Button onClick={() => close(results)} data-autofocus>
            Close
          </Button>
        ) : (
          <>
            <Button
              variant="default"
              onClick={() => {
                if (isBusy) abort.current.abort()
                else if (phase.kind === 'failed') close(results)
                else onClose(false)
              }}
              data-autofocus
            >
              {isBusy ? 'Stop' : phase.kind === 'failed' ? 'Close' : 'Cancel'}
            </Button>
            <Button
              {...(action.isDanger && { color: 'red' })}
              disabled={isBusy || !isConfirmed}
              onClick={() => void run()}
            >
              {isBusy ? 'Processing...' : phase.kind === 'failed' ? 'Continue' : action.label}
            </Button>
          </>
        )}
      </DialogFooter>
    </Dialog>
  )
}

/** The numbers of affected records, for a selection of a size that one call can count. */
function Effects({ ids, action }: { ids: string[]; action: Props['action'] }) {
  const effects = useQuery({
    queryKey: ['bulk-effects', action.name, ids],
    queryFn: () => action.effectsOf?.(ids) ?? null,
    enabled: action.effectsOf !== undefined && ids.length > 0 && ids.length <= BULK_CALL_MAX,
    retry: false,
  })
  return effects.data ? <p>{effects.data}</p> : null
}

type LeftOutProps = { noun: string; title: 'skipped' | 'refused'; rows: readonly BulkResult[] }

/** The rows that were not changed, with their reasons. */
function LeftOut({ noun, title, rows }: LeftOutProps) {
  if (rows.length === 0) return null
  return (
    <div>
      <h3 className={css.heading}>
        {counted(rows.length, noun)} {title}
      </h3>
      <ul className={css.list} aria-label={title === 'skipped' ? 'Skipped' : 'Refused'}>
        {rows.slice(0, SHOWN_MAX).map(({ id, name, reason }) => (
          <li key={id} className={css.item}>
            <strong dir="auto">{name ?? id}</strong>
            <span>{reason}</span>
          </li>
        ))}
      </ul>
      {rows.length > SHOWN_MAX && (
        <p>
          and {countText(rows.length - SHOWN_MAX)} more.
          {title === 'refused' && ' The activity log lists all of them.'}
        </p>
      )}
    </div>
  )
}
