import css from './action-sheet.module.css'
import type { Action } from '#src/ui/table/action.ts'
import { SlideOver } from './slide-over.tsx'

type Props = { label: string; actions: Action[]; onClose: () => void }

/** The actions of a row, at the bottom of a phone's screen. */
export function ActionSheet({ label, actions, onClose }: Props) {
  return (
    <SlideOver label={`Actions for ${label}`} from="bottom" onClose={onClose}>
      <div className={css.sheet}>
        <div className={css.title} dir="auto">
          {label}
        </div>
        {actions.map(({ label: verb, id = verb, Icon, danger, refusal = null, onSelect }) => (
          <button
            key={id}
            type="button"
            className={`${css.action} ${danger ? css.danger : ''}`}
            {...(refusal !== null && { 'aria-disabled': true })}
            onClick={() => {
              if (refusal !== null) return
              onClose()
              onSelect()
            }}
          >
            <Icon size={18} stroke={1.75} aria-hidden />
            <span>
              {verb}
              {refusal !== null && <span className={css.refusal}>{refusal}</span>}
            </span>
          </button>
        ))}
      </div>
    </SlideOver>
  )
}
