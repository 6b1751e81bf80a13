import { NativeSelect } from '@mantine/core'
import { use } from 'react'
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
  const view = use(FilterView)
  const isSet = all !== undefined && value !== ''
  if (view === 'chips') {
    const chosen = options.find((option) => option.value === value)
    return isSet && chosen && <FilterChip text={chosen.label} onClear={() => onChange('')} />
  }
  return (
    <NativeSelect
      {...(view === 'sheet' ? { label } : { 'aria-label': label })}
      value={value}
      data={all === undefined ? [...options] : [{ value: '', label: all }, ...options]}
      classNames={{ input: `${css.select} ${isSet ? css.set : ''}` }}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}
