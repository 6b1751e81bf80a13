import { use, useId } from 'react'
import fieldCss from '#src/ui/field/field.module.css'
import { Field } from '#src/ui/field/field.tsx'
import css from './day-filter.module.css'
import { FilterChip } from './filter-chip.tsx'
import { FilterView } from './filter-view.ts'

type Props = {
  label: string
  value: string | undefined
  min?: string | undefined
  max?: string | undefined
  onChange: (day: string) => void
}

/** A filter by a UTC day, a native date input. */
export function DayFilter({ label, value = '', min, max, onChange }: Props) {
  const id = useId()
  if (use(FilterView) === 'chips') {
    return value === '' ? null : <FilterChip text={`${label} ${value}`} onClear={() => onChange('')} />
  }
  return (
    <Field id={id} label={`${label} (UTC)`} className={css.day}>
      <input
        id={id}
        type="date"
        value={value}
        min={min}
        max={max}
        className={`${fieldCss.input} ${value === '' ? '' : css.set}`}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    </Field>
  )
}
