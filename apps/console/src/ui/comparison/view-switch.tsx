import { Select } from '#src/ui/field/select.tsx'
import type { ComparisonView } from './comparison.tsx'
import css from './view-switch.module.css'

const VIEWS = [
  { value: 'split', label: 'Side by side' },
  { value: 'inline', label: 'Inline' },
] as const

/** Switches the layout of a comparison. Hidden on a phone. */
export function ViewSwitch({ view, onChange }: { view: ComparisonView; onChange: (view: ComparisonView) => void }) {
  return (
    <div className={css.switch}>
      <Select
        aria-label="View"
        value={view}
        options={VIEWS}
        onChange={(event) => onChange(event.currentTarget.value === 'inline' ? 'inline' : 'split')}
      />
    </div>
  )
}
