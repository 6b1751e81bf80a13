import { counted, countText } from '#src/lib/format/count.ts'
import css from './progress-bar.module.css'

type Props = {
  label: string
  done: number
  /** Undefined while unknown. */
  total: number | undefined
  unit: string
}

/** Progress of a long operation: "1,250 of 12,345 rows". */
export function ProgressBar({ label, done, total, unit }: Props) {
  return (
    <div className={css.progress}>
      <progress
        aria-label={label}
        className={css.bar}
        {...(total !== undefined && { value: done, max: Math.max(total, 1) })}
      />
      <span>{total === undefined ? 'Starting...' : `${countText(done)} of ${counted(total, unit)}`}</span>
    </div>
  )
}
