import { NativeSelect } from '@mantine/core'
import { type Frequency, frequency, nextRuns, type Schedule } from '@switchboard/contract/tasks/schedule'
import { momentText, zonedText } from '#src/lib/format/moment.ts'
import { FREQUENCY_OPTIONS, monthlyCallsText } from '#src/tasks/task-labels.ts'
import type { Control } from '#src/ui/form/use-form-frame.ts'

type Props = Control<Frequency | null> & { schedule: Omit<Schedule, 'frequency'>; now: string }

/** The frequency, with the next run and the cost. */
export function FrequencyField({ value, schedule, now, error, disabled, onChange }: Props) {
  return (
    <NativeSelect
      label="Frequency"
      value={value ?? ''}
      data={[{ value: '', label: 'Choose how often', disabled: true }, ...FREQUENCY_OPTIONS]}
      error={error}
      disabled={disabled}
      required
      description={value && `${nextRunText({ ...schedule, frequency: value }, now)} ${monthlyCallsText(value)}`}
      onChange={(event) => onChange(frequency.safeParse(event.currentTarget.value).data ?? null)}
    />
  )
}

/** "Next run Dec 6, 2026, 09:30 (Europe/Berlin)." */
function nextRunText(schedule: Schedule, now: string): string {
  const [next] = nextRuns(schedule, now, 1)
  if (next === undefined) return ''
  const { time_zone: zone } = schedule
  return `Next run ${zone === null ? momentText(next) : `${zonedText(next, zone)} (${zone})`}.`
}
