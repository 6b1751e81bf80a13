import { NativeSelect, TextInput } from '@mantine/core'
import { DAY_MS } from './api-key-labels.ts'
import css from './key-form.module.css'

const PRESET_DAYS = [7, 30, 90, 365] as const

/** When a key ends: never, after as long as the one it replaces had, after so many days, or with a day of the reader's. */
export type Expiry =
  | { kind: 'never' }
  | { kind: 'same_lifetime' }
  | { kind: 'days'; days: number }
  | { kind: 'date'; date: string }

/** The chosen end as the API takes it: null for never, undefined while there is none in the future. */
export function endOf(expiry: Expiry): string | null | undefined {
  if (expiry.kind === 'never') return null
  if (expiry.kind === 'same_lifetime') return expiry.kind
  if (expiry.kind === 'days') return new Date(Date.now() + expiry.days * DAY_MS).toISOString()
  const end = new Date(`${expiry.date}T23:59:59.999`)
  return end.getTime() > Date.now() ? end.toISOString() : undefined
}

type Props = {
  value: Expiry
  /** How long the key that is replaced was to work, to offer the same: "30 days". */
  lifetimeBefore?: string
  /** From then on it says what is missing. */
  isTried: boolean
  disabled: boolean
  onChange: (expiry: Expiry) => void
}

/** Chooses when a key ends. */
export function ExpiryField({ value, lifetimeBefore, isTried, disabled, onChange }: Props) {
  return (
    <div className={css.pair}>
      <NativeSelect
        label="Expires"
        value={value.kind === 'days' ? String(value.days) : value.kind}
        data={[
          ...(lifetimeBefore === undefined
            ? []
            : [{ value: 'same_lifetime', label: `Same lifetime as before (${lifetimeBefore})` }]),
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
          error={isTried && endOf(value) === undefined && 'Choose a date in the future.'}
          errorProps={{ role: 'alert' }}
          disabled={disabled}
          required
          onChange={(event) => onChange({ kind: 'date', date: event.currentTarget.value })}
        />
      )}
    </div>
  )
}

function expiryOf(choice: string): Expiry {
  if (choice === 'never' || choice === 'same_lifetime') return { kind: choice }
  return choice === 'date' ? { kind: 'date', date: '' } : { kind: 'days', days: Number(choice) }
}
