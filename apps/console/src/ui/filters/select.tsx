import { IconChevronDown } from '@tabler/icons-react'
import type { ComponentProps } from 'react'
import css from './field.module.css'

type Props = Omit<ComponentProps<'select'>, 'size'> & {
  options: readonly { value: string; label: string }[]
  isSmall?: boolean
}

/** A native select for lists, without the 6 kB of Mantine's fields: docs/decisions/0035-libraries-by-their-public-api.md. */
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
