import type { TaskRun } from '@switchboard/contract/runs'
import { RelativeTime } from '#src/ui/time/relative-time.tsx'
import css from './run-cells.module.css'
import { resultText, startOf } from './run-labels.ts'

export function Started({ run }: { run: TaskRun }) {
  return <RelativeTime moment={startOf(run)} />
}

/** The reviews of a run, or the reason of its failure. */
export function Result({ run }: { run: TaskRun }) {
  return <div className={css.result}>{resultText(run)}</div>
}
