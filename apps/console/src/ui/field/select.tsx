import { IconChevronDown } from '@tabler/icons-react'
import type { ComponentProps } from 'react'
import css from './field.module.css'

type Props = Omit<ComponentProps<'select'>, 'size'> & {
  options: readonly { value: string; label: string }[]
  isSmall?: boolean
}

/** A native select of a `Field`, or with its own label. */
export function Select({ options, isSmall = false, className = '', ...select }: Props) {
  return (
    <span className={css.field}>
      <select {...select} className={`${css.input} ${css.select} ${isSmall ? css.small : ''} ${className}`}>
        {options.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
      <IconChevronDown size={14} aria-hidden />
    </span>
  )
}
