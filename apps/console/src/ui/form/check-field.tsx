import type { ReactNode } from 'react'
import css from './check-field.module.css'

type Props = {
  label: ReactNode
  help?: ReactNode
  checked: boolean
  disabled?: boolean
  onChange: (checked: boolean) => void
}

export function CheckField({ label, help, checked, disabled = false, onChange }: Props) {
  return (
    <label className={css.field}>
      <input
        type="checkbox"
        className={css.box}
        checked={checked}
        disabled={disabled}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <div>
        {label}
        {help !== undefined && <span>{help}</span>}
      </div>
    </label>
  )
}
