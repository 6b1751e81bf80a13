import { NativeSelect } from '@mantine/core'
import { type Frequency, frequency, nextRuns, type Schedule } from '@switchboard/contract/tasks/schedule'
import type { Control } from '#src/ui/form/use-form-frame.ts'
import { NextTimes } from './next-times.tsx'
import { FREQUENCY_OPTIONS, monthlyCallsText } from '#src/tasks/task-labels.ts'

const DATES_SHOWN = 5

type Props = Control<Frequency | null> & { schedule: Omit<Schedule, 'frequency'>; now: string }

/** The frequency, with the next runs and their cost. */
export function FrequencyField({ value, schedule, now, error, disabled, onChange }: Props) {
  return (
    <NativeSelect
      label="Frequency"
      value={value ?? ''}
      data={[{ value: '', label: 'Choose how often', disabled: true }, ...FREQUENCY_OPTIONS]}
      error={error}
      disabled={disabled}
      required
      description={
        value && (
          <>
            Next runs{schedule.time_zone !== null && ` (${schedule.time_zone})`}:
            <NextTimes
              times={nextRuns({ ...schedule, frequency: value }, now, DATES_SHOWN)}
              timeZone={schedule.time_zone}
            />
            {monthlyCallsText(value)}
          </>
        )
      }
      inputWrapperOrder={['label', 'input', 'error', 'description']}
      onChange={(event) => onChange(frequency.safeParse(event.currentTarget.value).data ?? null)}
    />
  )
}
