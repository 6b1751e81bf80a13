import type { TaskRun } from '@switchboard/contract/runs'
import { fullText, momentText, relativeText, timeText } from '#src/lib/format/moment.ts'
import css from './run-cells.module.css'
import { resultText, startOf } from './run-labels.ts'

/** The start of a run; with `isShort` without a day of today and without this year. */
export function Started({ run, isShort = false }: { run: TaskRun; isShort?: boolean }) {
  const moment = startOf(run)
  return (
    <time dateTime={moment} data-tooltip={`${fullText(moment)} · ${relativeText(moment)}`}>
      {isShort ? timeText(moment) : momentText(moment)}
    </time>
  )
}

/** The reviews of a run, or the reason of its failure. */
export function Result({ run }: { run: TaskRun }) {
  return <div className={css.result}>{resultText(run)}</div>
}
