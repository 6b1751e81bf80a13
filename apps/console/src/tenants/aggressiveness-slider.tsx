import {
  AGGRESSIVENESS_MAX,
  AGGRESSIVENESS_MIN,
  AGGRESSIVENESS_STEP,
  aggressivenessBand,
} from '@switchboard/contract/tenants/aggressiveness'
import { useId } from 'react'
import css from './aggressiveness-slider.module.css'

const BAND_LABELS = { green: 'Passive', yellow: 'Balanced', red: 'Assertive' }

type Props = { value: number; disabled: boolean; onChange: (value: number) => void }

/**
 * 0 to 10 in steps of 0.1 (spec §2, Edit Tenant). The browser's own range: it brings the keys (arrows, Home, End, Page
 * Up and Down), touch and forced colours, and counts in decimals, so that no sum of floats ever drifts.
 */
export function AggressivenessSlider({ value, disabled, onChange }: Props) {
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
        aria-valuetext={`${value.toFixed(1)}, ${BAND_LABELS[band]}`}
        onChange={(event) => onChange(Number(event.currentTarget.value))}
      />
      <div className={css.marks} aria-hidden>
        <span>0 Passive</span>
        <span>5 Balanced</span>
        <span>10 Assertive</span>
      </div>
    </div>
  )
}
