import { ActionIcon } from '@mantine/core'
import type { Icon } from '@tabler/icons-react'
import css from './row-actions.module.css'

/** Something to do with a record. */
export type Action = {
  label: string
  Icon: Icon
  danger?: boolean
  /** What readers hear, where it is not the label and the name of the record. */
  spoken?: string
  /** Stays the same when the label changes, so that the button keeps the focus. */
  id?: string
  onSelect: () => void
}

type Props = { of: string; actions: readonly Action[]; onIntent?: () => void }

/** The actions of a record as quiet icons, with words for readers and tooltips for eyes. */
export function RowActions({ of, actions, onIntent }: Props) {
  return (
    <div className={css.actions} onPointerEnter={onIntent} onFocus={onIntent}>
      {actions.map(({ label, Icon: Drawing, spoken = `${label} ${of}`, id = label, onSelect }) => (
        <ActionIcon
          key={id}
          variant="subtle"
          color="gray"
          size={32}
          aria-label={spoken}
          data-tooltip={label}
          onClick={onSelect}
        >
          <Drawing size={16} stroke={1.75} aria-hidden />
        </ActionIcon>
      ))}
    </div>
  )
}
