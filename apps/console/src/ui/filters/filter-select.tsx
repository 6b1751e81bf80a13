import { NativeSelect } from '@mantine/core'
import css from './filter-select.module.css'

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
  return (
    <NativeSelect
      aria-label={label}
      value={value}
      data={all === undefined ? [...options] : [{ value: '', label: all }, ...options]}
      classNames={{ input: `${css.select} ${all !== undefined && value !== '' ? css.set : ''}` }}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}
