import css from './segmented-control.module.css'

type Props<Value> = {
  label: string
  options: readonly { value: Value; label: string }[]
  value: Value
  onChange: (value: Value) => void
}

/** A row of buttons of which one is pressed. A click on the pressed button changes nothing. */
export function SegmentedControl<Value>({ label: name, options, value: pressed, onChange }: Props<Value>) {
  return (
    <fieldset className={css.control} aria-label={name}>
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
