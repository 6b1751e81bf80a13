import { use, useId } from 'react'
import { Field } from '#src/ui/field/field.tsx'
import { Select } from '#src/ui/field/select.tsx'
import { FilterChip } from './filter-chip.tsx'
import css from './filter-select.module.css'
import { FilterView } from './filter-view.ts'

type Props = {
  label: string
  value: string
  options: readonly { value: string; label: string }[]
  /** Label of the empty option: "All statuses". Absent if a value is required. */
  all?: string
  onChange: (value: string) => void
}

/** A filter of a list. A native select, for phones and keyboards. */
export function FilterSelect({ label, value, options, all, onChange }: Props) {
  const id = useId()
  const view = use(FilterView)
  const isSet = all !== undefined && value !== ''
  if (view === 'chips') {
    const chosen = options.find((option) => option.value === value)
    return isSet && chosen && <FilterChip text={chosen.label} onClear={() => onChange('')} />
  }
  return (
    <Field id={id} label={view === 'sheet' ? label : undefined}>
      <Select
        id={id}
        aria-label={view === 'sheet' ? undefined : label}
        value={value}
        options={all === undefined ? options : [{ value: '', label: all }, ...options]}
        className={`${css.select} ${isSet ? css.set : ''}`}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    </Field>
  )
}
