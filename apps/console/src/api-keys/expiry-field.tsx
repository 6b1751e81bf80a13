import { NativeSelect, TextInput } from '@mantine/core'
import css from './key-form.module.css'

const DAY_MS = 86_400_000
const PRESET_DAYS = [7, 30, 90, 365] as const

/** When a key ends: never, after so many days, or at the end of a day of the reader's own. */
export type Expiry = { kind: 'never' } | { kind: 'days'; days: number } | { kind: 'date'; date: string }

/** The chosen end as a moment, null for never, undefined while there is none in the future. */
export function expiryMoment(expiry: Expiry): string | null | undefined {
  if (expiry.kind === 'never') return null
  if (expiry.kind === 'days') return new Date(Date.now() + expiry.days * DAY_MS).toISOString()
  const end = new Date(`${expiry.date}T23:59:59.999`)
  return end.getTime() > Date.now() ? end.toISOString() : undefined
}

type Props = { value: Expiry; disabled: boolean; onChange: (expiry: Expiry) => void }

/** Chooses when a key ends. */
export function ExpiryField({ value, disabled, onChange }: Props) {
  return (
    <div className={css.pair}>
      <NativeSelect
        label="Expires"
        value={value.kind === 'days' ? String(value.days) : value.kind}
        data={[
          { value: 'never', label: 'Never' },
          ...PRESET_DAYS.map((days) => ({
            value: String(days),
            label: days === 365 ? 'In 1 year' : `In ${days} days`,
          })),
          { value: 'date', label: 'On a date' },
        ]}
        disabled={disabled}
        onChange={(event) => onChange(expiryOf(event.currentTarget.value))}
      />
      {value.kind === 'date' && (
        <TextInput
          label="Last day"
          type="date"
          value={value.date}
          disabled={disabled}
          required
          onChange={(event) => onChange({ kind: 'date', date: event.currentTarget.value })}
        />
      )}
    </div>
  )
}

function expiryOf(choice: string): Expiry {
  if (choice === 'never') return { kind: 'never' }
  return choice === 'date' ? { kind: 'date', date: '' } : { kind: 'days', days: Number(choice) }
}
