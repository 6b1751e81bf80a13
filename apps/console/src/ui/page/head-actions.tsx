import { Button } from '@mantine/core'
import type { Action } from '#src/ui/table/row-actions.tsx'
import css from './head-actions.module.css'

type Props = {
  /** Name of the record. */
  label: string
  actions: readonly Action[]
  onIntent?: () => void
}

/** The actions on a page's record, as buttons with labels. On a phone they are in a menu. */
export function HeadActions({ label: name, actions, onIntent }: Props) {
  return actions.map(({ label, Icon, danger = false, accessibleName = `${label} ${name}`, id = label, onSelect }) => (
    <Button
      key={id}
      variant="default"
      className={danger ? css.danger : ''}
      leftSection={<Icon size={16} aria-hidden />}
      aria-label={accessibleName}
      onPointerEnter={onIntent}
      onFocus={onIntent}
      onClick={onSelect}
    >
      {label}
    </Button>
  ))
}
