import { useId, useState } from 'react'
import { utcDateText } from '#src/lib/format/moment.ts'
import { parseDay } from '#src/lib/format/parse-day.ts'
import { serverDay, serverNow } from '#src/lib/server-clock.ts'
import type { Filter, FilterChange } from '#src/lists/filters.ts'
import type { ListParams } from '#src/lists/list-params.ts'
import fieldCss from '#src/ui/field/field.module.css'
import { Field, invalid } from '#src/ui/field/field.tsx'
import type { ListedOption } from '#src/ui/field/option-list.tsx'
import css from './day-fields.module.css'

type DayFilter = Filter & { kind: 'days' }
type OnChange = (change: FilterChange) => void

/** Common ranges of days, which begin so many days before today and have no end. Days are those of UTC. */
const RANGES = [
  { label: 'Today', days: 1 },
  { label: 'Last 7 days', days: 7 },
  { label: 'Last 30 days', days: 30 },
  { label: 'Last 90 days', days: 90 },
]

/** Common ranges as choices of the menu. */
export function dayChoices(filter: DayFilter, list: ListParams, onChange: OnChange): ListedOption[] {
  return RANGES.map(({ label, days }) => {
    const from = serverDay(days - 1)
    return {
      id: `${filter.from} ${label}`,
      label,
      hint: filter.label,
      isChosen: list[filter.from] === from && list[filter.to] === undefined,
      onSelect: () => onChange({ [filter.from]: from, [filter.to]: undefined }),
    }
  })
}

/** The first and the last day of a filter, typed as "Nov 18, 2026" or as "2026-11-18". */
export function DayFields({ filter, list, onChange }: { filter: DayFilter; list: ListParams; onChange: OnChange }) {
  const [from, setFrom] = useState(() => shown(list[filter.from]))
  const [to, setTo] = useState(() => shown(list[filter.to]))
  const [isChecked, setIsChecked] = useState(false)
  const days = [from, to].map((text) => (text.trim() === '' ? undefined : parseDay(text, serverNow())))
  const isReversed = days[0] && days[1] ? days[0] > days[1] : false
  const errorOf = (index: number) => {
    if (!isChecked) return undefined
    if (days[index] === null) return 'Type a day, such as Nov 18, 2026.'
    return index === 1 && isReversed ? 'The last day is before the first.' : undefined
  }
  return (
    <form
      className={css.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        setIsChecked(true)
        const [first, last] = days
        if (first !== null && last !== null && !isReversed) onChange({ [filter.from]: first, [filter.to]: last })
      }}
    >
      <DayField label="From" value={from} error={errorOf(0)} onChange={setFrom} />
      <DayField label="To" value={to} error={errorOf(1)} onChange={setTo} />
      <button type="submit" className={css.apply}>
        Apply
      </button>
      <p className={css.note}>Days are those of UTC.</p>
    </form>
  )
}

type FieldProps = { label: string; value: string; error: string | undefined; onChange: (text: string) => void }

function DayField({ label, value, error, onChange }: FieldProps) {
  const id = useId()
  return (
    <Field id={id} label={label} error={error}>
      <input
        {...invalid(id, error)}
        id={id}
        type="text"
        autoComplete="off"
        spellCheck={false}
        placeholder={utcDateText(serverDay(0))}
        className={fieldCss.input}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    </Field>
  )
}

function shown(day: ListParams[string]): string {
  return day === undefined ? '' : utcDateText(String(day))
}
