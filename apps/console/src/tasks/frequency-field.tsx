import { NativeSelect } from '@mantine/core'
import '@mantine/core/styles/Input.layer.css'
import { type Frequency, frequency, nextRuns } from '@switchboard/contract/tasks/schedule'
import { momentText } from '#src/lib/format/moment.ts'
import type { Control } from '#src/ui/form/use-form-frame.ts'
import css from './frequency-field.module.css'
import { FREQUENCY_OPTIONS, monthlyCallsText } from './task-labels.ts'

const DATES_SHOWN = 3

type Props = Control<Frequency | null> & {
  /** Start of the schedule: the creation of the task. */
  anchor: string
  now: string
}

/** The frequency, with the next runs and their cost. */
export function FrequencyField({ value, anchor, now, error, disabled, onChange }: Props) {
  return (
    <NativeSelect
      label="Frequency"
      value={value ?? ''}
      data={[{ value: '', label: 'Choose how often', disabled: true }, ...FREQUENCY_OPTIONS]}
      error={error}
      disabled={disabled}
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
