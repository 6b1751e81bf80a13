import { Button } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { messageOf } from '#src/lib/call-error.ts'
import { counted } from '#src/lib/format/count.ts'
import { IncompleteCsvError, type CsvProgress, readCsv, saveFile } from '#src/lists/csv-download.ts'
import { notify } from '#src/lib/notify.ts'
import { Dialog, DialogFooter, DialogMain, DialogText } from '#src/ui/dialog/dialog.tsx'
import { Notice } from '#src/ui/notice/notice.tsx'
import { ProgressBar } from '#src/ui/dialog/progress-bar.tsx'

type Phase =
  | { kind: 'confirm' }
  | { kind: 'running'; progress: CsvProgress | null }
  | { kind: 'failed'; message: string }

type Props = {
  title: string
  /** Content of the file: "312 tenants that match". */
  content: string
  start: (signal: AbortSignal) => Promise<Response>
  onClose: () => void
}

/** Downloads a whole list as CSV. An incomplete file is discarded with an error. */
export function ExportDialog({ title, content, start, onClose }: Props) {
  const [phase, setPhase] = useState<Phase>({ kind: 'confirm' })
  const abort = useRef(new AbortController())
  useEffect(() => () => abort.current.abort(), [])

  async function run() {
    abort.current = new AbortController()
    const { signal } = abort.current
    setPhase({ kind: 'running', progress: null })
    try {
      const file = await readCsv(await start(signal), (progress) => setPhase({ kind: 'running', progress }))
      saveFile(file)
      notify('ok', `${file.name} was downloaded with ${counted(file.rows, 'row')}.`)
      onClose()
    } catch (error) {
      if (signal.aborted) return
      const message =
        error instanceof IncompleteCsvError ? error.message : messageOf(error, 'The export could not be made.')
      setPhase({ kind: 'failed', message })
    }
  }

  return (
    <Dialog title={title} size="sm" onClose={onClose}>
      <DialogMain>
        <DialogText>
          {phase.kind === 'running' ? (
            <ProgressBar label={title} done={phase.progress?.rows ?? 0} total={phase.progress?.total} unit="row" />
          ) : (
            <p>{content}, in the order shown, as a CSV file. Exports are recorded in the activity log.</p>
          )}
          {phase.kind === 'failed' && <Notice tone="bad">{phase.message}</Notice>}
        </DialogText>
      </DialogMain>
      <DialogFooter>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button loading={phase.kind === 'running'} onClick={() => void run()} data-autofocus>
          {phase.kind === 'failed' ? 'Try Again' : 'Export'}
        </Button>
      </DialogFooter>
    </Dialog>
  )
}
