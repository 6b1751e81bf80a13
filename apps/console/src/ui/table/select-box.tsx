import css from './select-box.module.css'

type Props = {
  /** What readers hear: "Select Harbor Dental". */
  label: string
  isChosen: boolean
  /** Some of what it stands for is chosen. */
  isPartly?: boolean
  /** `isRange`: with Shift held, all from the last one to this. */
  onChoose: (isChosen: boolean, isRange: boolean) => void
}

/** A checkbox that selects a row, with room for a finger around it. */
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
