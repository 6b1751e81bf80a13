import css from './select-box.module.css'

type Props = {
  /** Accessible name: "Select Harbor Dental". */
  label: string
  isChosen: boolean
  /** Indeterminate: a part of the rows is selected. */
  isPartly?: boolean
  /** `isRange`: Shift was held, for a range from the last clicked row. */
  onChoose: (isChosen: boolean, isRange: boolean) => void
}

/** Checkbox of a row, with a touch target around. */
export function SelectBox({ label, isChosen, isPartly = false, onChoose }: Props) {
  return (
    <label className={css.target}>
      <input
        ref={(box) => {
          if (box) box.indeterminate = isPartly
        }}
        type="checkbox"
        className={css.box}
        aria-label={label}
        checked={isChosen}
        onChange={({ currentTarget, nativeEvent }) =>
          onChoose(currentTarget.checked, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
        }
      />
    </label>
  )
}
