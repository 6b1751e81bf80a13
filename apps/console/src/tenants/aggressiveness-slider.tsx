import {
  AGGRESSIVENESS_MAX,
  AGGRESSIVENESS_MIN,
  AGGRESSIVENESS_STEP,
  aggressivenessBand,
} from '@switchboard/contract/tenants/aggressiveness'
import { Input } from '@mantine/core'
import { useId } from 'react'
import type { Control } from '#src/ui/form/use-form-frame.ts'
import css from './aggressiveness-slider.module.css'

const BAND_LABELS = { green: 'Passive', yellow: 'Balanced', red: 'Assertive' }

/**
 * A number from 0 to 10 in steps of 0.1. A native range input has the keys (arrows, Home, End, Page Up, Page Down),
 * touch and forced colors, and counts in decimals without rounding errors.
 */
export function AggressivenessSlider({ value, error, disabled, onChange }: Control<number>) {
  const id = useId()
  const band = aggressivenessBand(value)
  const filled = `${((value - AGGRESSIVENESS_MIN) / (AGGRESSIVENESS_MAX - AGGRESSIVENESS_MIN)) * 100}%`
  return (
    <div className={css[band]}>
      <div className={css.label}>
        <label htmlFor={id}>Aggressiveness</label>
        <output htmlFor={id} className={css.value}>
          {value.toFixed(1)} {BAND_LABELS[band]}
        </output>
      </div>
      <input
        id={id}
        type="range"
        className={css.slider}
        style={{ '--filled': filled }}
        min={AGGRESSIVENESS_MIN}
        max={AGGRESSIVENESS_MAX}
        step={AGGRESSIVENESS_STEP}
        value={value}
        disabled={disabled}
        {...(error && { 'aria-invalid': true, 'aria-describedby': `${id}-error` })}
        aria-valuetext={`${value.toFixed(1)}, ${BAND_LABELS[band]}`}
        onChange={(event) => onChange(Number(event.currentTarget.value))}
      />
      <div className={css.marks} aria-hidden>
        <span>0 Passive</span>
        <span>5 Balanced</span>
        <span>10 Assertive</span>
      </div>
      {error && <Input.Error id={`${id}-error`}>{error}</Input.Error>}
    </div>
  )
}
