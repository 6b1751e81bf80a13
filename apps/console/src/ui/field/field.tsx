import type { ReactNode } from 'react'
import css from './field.module.css'

type Props = {
  id: string
  /** Absent for an input with an `aria-label`. */
  label?: string | undefined
  /** A sentence below the input. `true` only marks the input. */
  error?: ReactNode
  /** The input with `css.input` and, after it, an icon or a button. */
  children: ReactNode
}

/** A native input of a list with its label and error, without the 6 kB of Mantine's fields: docs/decisions/0035-libraries-by-their-public-api.md. */
export function Field({ id, label, error, children }: Props) {
  return (
    <div>
      {label !== undefined && (
        <label htmlFor={id} className={css.label}>
          {label}
        </label>
      )}
      <span className={css.field}>{children}</span>
      {hasText(error) && (
        <p id={`${id}-error`} className={css.error}>
          {error}
        </p>
      )}
    </div>
  )
}

/** Attributes of the input of a `Field` with this error. */
export function invalid(id: string, error: ReactNode) {
  return { 'aria-invalid': Boolean(error), 'aria-describedby': hasText(error) ? `${id}-error` : undefined }
}

function hasText(error: ReactNode): boolean {
  return Boolean(error) && error !== true
}
