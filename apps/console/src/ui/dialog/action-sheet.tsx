import css from './action-sheet.module.css'
import type { Action } from '#src/ui/table/row-actions.tsx'
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
        {actions.map(({ label: verb, Icon, danger, onSelect }) => (
          <button
            key={verb}
            type="button"
            className={`${css.action} ${danger ? css.danger : ''}`}
            onClick={() => {
              onClose()
              onSelect()
            }}
          >
            <Icon size={18} stroke={1.75} aria-hidden />
            {verb}
          </button>
        ))}
      </div>
    </SlideOver>
  )
}
