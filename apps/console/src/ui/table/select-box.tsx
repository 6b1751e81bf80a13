import css from './select-box.module.css'

type Props = {
  /** Accessible name: "Select Harbor Dental". */
  label: string
  isSelected: boolean
  /** Indeterminate: a part of the rows is selected. */
  isIndeterminate?: boolean
  /** Keeps the focus and its Tab stop. */
  isDisabled?: boolean
  /** The keys that select the row, for `aria-keyshortcuts`. */
  keys?: string
  /** `isRange`: Shift was held, for a range from the last clicked row. */
  onSelect: (isSelected: boolean, isRange: boolean) => void
}

/** Checkbox of a row, with a touch target around. */
export function SelectBox({ label, isSelected, isIndeterminate = false, isDisabled = false, keys, onSelect }: Props) {
  return (
    <label className={css.target}>
      <input
        ref={(box) => {
          if (box) box.indeterminate = isIndeterminate
        }}
        type="checkbox"
        className="check"
        aria-label={label}
        aria-keyshortcuts={keys}
        checked={isSelected}
        aria-disabled={isDisabled || undefined}
        onChange={({ currentTarget, nativeEvent }) => {
          if (isDisabled) return
          onSelect(currentTarget.checked, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
        }}
      />
    </label>
  )
}
