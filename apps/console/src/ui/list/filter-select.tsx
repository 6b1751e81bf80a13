import { NativeSelect } from '@mantine/core'
import css from './filter-select.module.css'

type Props = {
  label: string
  value: string
  options: readonly { value: string; label: string }[]
  /** What the empty choice says: "All statuses". Leave it out where something is always chosen. */
  all?: string
  onChange: (value: string) => void
}

/** A filter of a list: the browser's own select, so that phones and keyboards get what they know. */
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
