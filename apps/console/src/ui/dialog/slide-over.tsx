import { Drawer } from '@mantine/core'
import '@mantine/core/styles/Drawer.layer.css'
import '@mantine/core/styles/ModalBase.layer.css'
import '@mantine/core/styles/Overlay.layer.css'
import '@mantine/core/styles/Paper.layer.css'
import type { ReactNode } from 'react'
import css from './slide-over.module.css'
import { useFocusRecovery } from './use-focus-recovery.ts'
import { useFocusReturn } from './use-focus-return.ts'

type Props = { label: string; from: 'left' | 'bottom'; onClose: () => void; children: ReactNode }

/**
 * A panel of small screens: the menu from the left, the actions of a row or the filters from below. Open while
 * rendered. Escape and a tap outside close the panel; the focus stays inside.
 */
export function SlideOver({ label, from, onClose, children }: Props) {
  useFocusReturn()
  useFocusRecovery()
  return (
    <Drawer.Root
      opened
      onClose={onClose}
      position={from}
      size={from === 'left' ? 272 : 'auto'}
      lockScroll={false}
      transitionProps={{ duration: 0 }}
      classNames={{ content: css[from], body: css.body }}
    >
      <Drawer.Overlay color="var(--backdrop)" backgroundOpacity={1} />
      <Drawer.Content aria-label={label}>
        <Drawer.Body>{children}</Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  )
}
