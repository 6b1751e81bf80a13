import { NativeSelect } from '@mantine/core'
import { type Frequency, frequency, nextRuns } from '@switchboard/contract/tasks/schedule'
import type { ReactNode } from 'react'
import { momentText } from '#src/lib/moment.ts'
import css from './frequency-field.module.css'
import { FREQUENCY_OPTIONS, monthlyCallsText } from './task-labels.ts'

const DATES_SHOWN = 3

type Props = {
  /** Null while nobody has chosen. */
  value: Frequency | null
  /** What the times are counted from: the task's creation. */
  anchor: string
  now: string
  error?: ReactNode
  onChange: (value: Frequency | null) => void
}

/** How often, with the next times and what they cost, before anything is saved. */
export function FrequencyField({ value, anchor, now, error, onChange }: Props) {
  return (
    <NativeSelect
      label="Frequency"
      value={value ?? ''}
      data={[{ value: '', label: 'Choose how often', disabled: true }, ...FREQUENCY_OPTIONS]}
      error={error}
      required
      description={
        value && <NextTimes times={nextRuns(anchor, value, now, DATES_SHOWN)} cost={monthlyCallsText(value)} />
      }
      inputWrapperOrder={['label', 'input', 'error', 'description']}
      onChange={(event) => onChange(frequency.safeParse(event.currentTarget.value).data ?? null)}
    />
  )
}

function NextTimes({ times, cost }: { times: string[]; cost: string }) {
  return (
    <>
      Next runs:
      <span className={css.times}>
        {times.map((time) => (
          <time key={time} dateTime={time}>
            {momentText(time)}
          </time>
        ))}
      </span>
      {cost}
    </>
  )
}
