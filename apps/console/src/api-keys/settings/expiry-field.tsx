import { NativeSelect, TextInput } from '@mantine/core'
import { serverNow } from '#src/lib/server-clock.ts'
import css from '#src/ui/form/form.module.css'
import type { Control } from '#src/ui/form/use-form-frame.ts'
import { DAY_MS } from '@switchboard/contract/wire/days'

const PRESET_DAYS = [7, 30, 90, 365] as const

/** End of a key: never, as before, after the lifetime of the replaced key, after a number of days, or with a chosen day. */
export type Expiry =
  | { kind: 'never' }
  | { kind: 'same_lifetime' }
  | { kind: 'unchanged' }
  | { kind: 'days'; days: number }
  | { kind: 'date'; date: string }

/** The `expires_at` of an API call: null for never, undefined for a missing or past day. */
export function endOf(expiry: Expiry): string | null | undefined {
  if (expiry.kind === 'never') return null
  if (expiry.kind === 'same_lifetime' || expiry.kind === 'unchanged') return expiry.kind
  if (expiry.kind === 'days') return new Date(serverNow() + expiry.days * DAY_MS).toISOString()
  const end = new Date(`${expiry.date}T23:59:59.999`)
  return end.getTime() > serverNow() ? end.toISOString() : undefined
}

/** The error of the `expires_at` field. */
export function expiryErrors(expiry: Expiry): { expires_at?: string } {
  return endOf(expiry) === undefined ? { expires_at: 'Choose a date in the future.' } : {}
}

type Props = Control<Expiry> & {
  /** Lifetime of the replaced key, offered as a choice: "30 days". */
  lifetimeBefore?: string
  /** The present end of an edited key, offered as a choice: "Never". */
  unchanged?: string
}

/** Chooses the end of a key. */
export function ExpiryField({ value, error, lifetimeBefore, unchanged, disabled, onChange }: Props) {
  return (
    <div className={css.pair}>
      <NativeSelect
        label="Expires"
        value={value.kind === 'days' ? String(value.days) : value.kind}
        data={[
          ...(lifetimeBefore === undefined
            ? []
            : [{ value: 'same_lifetime', label: `Same lifetime as before (${lifetimeBefore})` }]),
          ...(unchanged === undefined ? [] : [{ value: 'unchanged', label: `Unchanged: ${unchanged}` }]),
          { value: 'never', label: 'Never' },
          ...PRESET_DAYS.map((days) => ({
            value: String(days),
            label: days === 365 ? 'In 1 year' : `In ${days} days`,
          })),
          { value: 'date', label: 'On a date' },
        ]}
        error={value.kind !== 'date' && error}
        disabled={disabled}
        onChange={(event) => onChange(expiryOf(event.currentTarget.value))}
      />
      {value.kind === 'date' && (
        <TextInput
          label="Last day"
          type="date"
          value={value.date}
          error={error}
          disabled={disabled}
          required
          onChange={(event) => onChange({ kind: 'date', date: event.currentTarget.value })}
        />
      )}
    </div>
  )
}

function expiryOf(choice: string): Expiry {
  if (choice === 'never' || choice === 'same_lifetime' || choice === 'unchanged') return { kind: choice }
  return choice === 'date' ? { kind: 'date', date: '' } : { kind: 'days', days: Number(choice) }
}
