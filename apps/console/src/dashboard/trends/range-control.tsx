import { type DayRange, rangeProblem } from '@switchboard/contract/dashboard/trends'
import { useId, useState } from 'react'
import { type ChosenRange, isValidRange, TREND_PRESETS } from './trend-range.ts'
import { SegmentedControl } from '#src/ui/form/segmented-control.tsx'
import css from './range-control.module.css'

type Chosen = { days?: string; from?: string; to?: string; replace?: boolean }
type Props = { range: ChosenRange; onChange: (chosen: Chosen) => void }

const PERIODS = [
  ...TREND_PRESETS.map((days) => ({ value: days, label: `${days} days` })),
  { value: null, label: 'Custom' },
]

/** A segmented control of the offered ranges, and two days for any other range. */
export function RangeControl({ range, onChange }: Props) {
  const { preset, from, to } = range
  return (
    <div className={css.control}>
      {preset === null && <CustomDays range={range} onChange={(days) => onChange({ ...days, replace: true })} />}
      <SegmentedControl
        label="Period"
        options={PERIODS}
        value={preset}
        onChange={(days) => onChange(days === null ? { from, to } : { days: String(days) })}
      />
    </div>
  )
}

/** Two days of UTC. The range changes as soon as both days make a valid range. */
function CustomDays({ range, onChange }: { range: DayRange; onChange: (days: DayRange) => void }) {
  const id = useId()
  const [typed, setTyped] = useState({ of: range, days: range })
  // The address changed, for example by Back: what was typed before is obsolete.
  const isCurrent = typed.of.from === range.from && typed.of.to === range.to
  const { from, to } = isCurrent ? typed.days : range
  const isComplete = from !== '' && to !== ''
  const problem = isComplete ? rangeProblem({ from, to }) : 'Choose both days.'

  function change(part: Partial<DayRange>) {
    const days = { from, to, ...part }
    setTyped({ of: range, days })
    if (isValidRange(days)) onChange(days)
  }

  return (
    <div className={css.custom}>
      {(['from', 'to'] as const).map((end) => (
        <label key={end} className={css.day}>
          {end === 'from' ? 'From' : 'To'}
          <input
            type="date"
            value={end === 'from' ? from : to}
            className={css.input}
            aria-describedby={id}
            aria-invalid={problem !== null}
            onChange={(event) => change({ [end]: event.currentTarget.value })}
          />
        </label>
      ))}
      <output id={id} className={css.problem}>
        {problem}
      </output>
    </div>
  )
}
