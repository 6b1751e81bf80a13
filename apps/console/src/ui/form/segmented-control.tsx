import css from './segmented-control.module.css'

type Props<Value> = {
  label: string
  options: readonly { value: Value; label: string }[]
  value: Value
  disabled?: boolean | undefined
  /** Id of the hint. */
  describedBy?: string
  onChange: (value: Value) => void
}

/** A row of buttons of which one is pressed. A click on the pressed button changes nothing. */
export function SegmentedControl<Value>({ label: name, options, value: pressed, onChange, ...more }: Props<Value>) {
  return (
    <fieldset className={css.control} aria-label={name} aria-describedby={more.describedBy} disabled={more.disabled}>
      {options.map(({ value, label }) => (
        <button
          key={label}
          type="button"
          className={css.segment}
          aria-pressed={value === pressed}
          onClick={() => value !== pressed && onChange(value)}
        >
          {label}
        </button>
      ))}
    </fieldset>
  )
}
