import { useMantineColorScheme } from '@mantine/core'
import { IconDeviceDesktop, IconMoon, IconSun } from '@tabler/icons-react'
import { useId } from 'react'
import css from './color-scheme-switch.module.css'

const CHOICES = [
  { value: 'light', label: 'Light', Icon: IconSun },
  { value: 'dark', label: 'Dark', Icon: IconMoon },
  { value: 'auto', label: 'System', Icon: IconDeviceDesktop },
] as const

/** Switches between the light, the dark and the system theme. */
export function ColorSchemeSwitch() {
  // Without `keepTransitions`, Mantine adds a <style> element, and the browser policy forbids it.
  const { colorScheme, setColorScheme } = useMantineColorScheme({ keepTransitions: true })
  const name = useId()
  return (
    <div className={css.switch} role="radiogroup" aria-label="Theme">
      {CHOICES.map(({ value, label, Icon }) => (
        <label key={value} className={css.choice} data-tooltip={label}>
          <input
            type="radio"
            name={name}
            aria-label={label}
            checked={colorScheme === value}
            onChange={() => setColorScheme(value)}
          />
          <Icon size={16} stroke={1.75} aria-hidden />
        </label>
      ))}
    </div>
  )
}
