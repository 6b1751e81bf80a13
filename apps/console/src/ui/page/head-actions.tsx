import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { MoreMenu } from '#src/ui/dialog/more-menu.tsx'
import type { Action } from '#src/ui/table/action.ts'
import css from './head-actions.module.css'
import { useIsPhone } from './use-is-phone.ts'

type Props = {
  label: string
  /** Actions with a button; on a phone only the first. */
  actions: readonly Action[]
  more: readonly Action[]
  /** All actions are in the menu. */
  isDense?: boolean
  onIntent?: () => void
  children?: ReactNode
}

/** The actions on a page's record: the common ones as buttons, the others in a menu. */
export function HeadActions({ label: name, actions, more, isDense = false, onIntent, children }: Props) {
  const isPhone = useIsPhone()
  const shown = isDense ? 0 : isPhone ? 1 : actions.length
  return (
    <>
      {actions.slice(0, shown).map(({ label, danger = false, onSelect }) => (
        <Button
          key={label}
          variant="default"
          className={danger ? css.danger : ''}
          aria-label={`${label} ${name}`}
          onPointerEnter={onIntent}
          onFocus={onIntent}
          onClick={onSelect}
        >
          {label}
        </Button>
      ))}
      {children}
      <MoreMenu label={name} actions={[...actions.slice(shown), ...more]} onIntent={onIntent} />
    </>
  )
}
