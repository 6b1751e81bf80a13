import { ActionIcon } from '@mantine/core'
import { IconBell } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import css from './bell-icon.module.css'

type Props = {
  label: string
  isOpen?: boolean
  children?: ReactNode
  onApproach?: () => void
  onOpen?: () => void
}

/** The button of the bell, also while its code loads. */
export function BellIcon({ label, isOpen = false, children, onApproach, onOpen }: Props) {
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size={40}
      className={css.bell}
      aria-label={label}
      aria-haspopup="dialog"
      aria-expanded={isOpen}
      onPointerEnter={onApproach}
      onClick={onOpen}
    >
      <IconBell size={20} stroke={1.75} aria-hidden />
      {children}
    </ActionIcon>
  )
}
