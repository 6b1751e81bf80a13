import { IconDeviceDesktop, IconMoon, IconSun } from '@tabler/icons-react'
import { useId } from 'react'
import { chooseColorScheme, useColorScheme } from '#src/lib/color-scheme.ts'
import css from './color-scheme-switch.module.css'

const CHOICES = [
  { value: 'light', label: 'Light', Icon: IconSun },
  { value: 'dark', label: 'Dark', Icon: IconMoon },
  { value: 'auto', label: 'System', Icon: IconDeviceDesktop },
] as const

/** Light, dark, or as the system has it. */
export function ColorSchemeSwitch() {
  const chosen = useColorScheme()
  const name = useId()
  return (
    <div className={css.switch} role="radiogroup" aria-label="Theme">
      {CHOICES.map(({ value, label, Icon }) => (
        <label key={value} className={css.choice} data-tooltip={label}>
          <input
            type="radio"
            name={name}
            aria-label={label}
            checked={chosen === value}
            onChange={() => chooseColorScheme(value)}
          />
          <Icon size={16} stroke={1.75} aria-hidden />
        </label>
      ))}
    </div>
  )
}
