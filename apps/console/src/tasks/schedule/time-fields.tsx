import { Button, NativeSelect } from '@mantine/core'
import { useState } from 'react'
import { ownTimeZone } from '#src/lib/format/moment.ts'
import type { Control } from '#src/ui/form/use-form-frame.ts'
import css from './time-fields.module.css'

/** Every half hour of a day. */
const TIMES = Array.from({ length: 48 }, (_, n) => `${String(n >> 1).padStart(2, '0')}:${n % 2 === 0 ? '00' : '30'}`)

type Props = { time: Control<string | null>; zone: Control<string | null> }

/** The time of day of a task, and its time zone: at first the zone of the browser. Folded without a time. */
export function TimeFields({ time, zone }: Props) {
  const [run_time, time_zone] = [time.value, zone.value]
  const [isUnfolded, setIsUnfolded] = useState(false)

  function changeTime(value: string) {
    time.onChange(value === '' ? null : value)
    zone.onChange(value === '' ? null : (time_zone ?? ownTimeZone()))
  }

  if (run_time === null && !isUnfolded) {
    return (
      <div>
        <Button
          variant="transparent"
          size="compact-sm"
          px={0}
          disabled={time.disabled}
          onClick={() => setIsUnfolded(true)}
        >
          At a Fixed Time…
        </Button>
      </div>
    )
  }
  return (
    <div className={css.fields}>
      <NativeSelect
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the button that unfolded it is gone
        autoFocus={isUnfolded}
        label="Time of day"
        value={run_time ?? ''}
        data={[{ value: '', label: 'Time of creation' }, ...withValue(TIMES, run_time)]}
        error={time.error}
        disabled={time.disabled}
        onChange={(event) => changeTime(event.currentTarget.value)}
      />
      {run_time !== null && (
        <NativeSelect
          label="Time zone"
          value={time_zone ?? ''}
          data={withValue(['UTC', ...Intl.supportedValuesOf('timeZone')], time_zone)}
          error={zone.error}
          disabled={zone.disabled}
          onChange={(event) => zone.onChange(event.currentTarget.value)}
        />
      )}
    </div>
  )
}

/** Options in order. A value set by another program may be none of them, and an engine may list a name twice. */
function withValue(options: string[], value: string | null): string[] {
  return [...new Set(value === null ? options : [...options, value])].toSorted()
}
