import { CloseButton, Drawer } from '@mantine/core'
import { type ReactNode, useRef } from 'react'
import css from './slide-over.module.css'
import { isOnTop, useFocusRecovery } from './use-focus-recovery.ts'
import { useFocusReturn } from './use-focus-return.ts'

const SIZES = { left: 272, bottom: 'auto', right: 'min(520px, 100%)' }

type Props = {
  label: string
  from: keyof typeof SIZES
  /** Shown with a close button, for a panel on a wide screen. */
  title?: string
  onClose: () => void
  children: ReactNode
}

/**
 * A panel: on small screens the menu from the left, the actions of a row or the filters from below; on all screens the
 * record of a row from the right. Open while rendered. Escape and a tap outside close the panel; the focus stays inside.
 */
export function SlideOver({ label, from, title, onClose, children }: Props) {
  useFocusReturn()
  useFocusRecovery()
  const root = useRef<HTMLDivElement>(null)
  return (
    <Drawer.Root
      ref={root}
      opened
      onClose={() => {
        if (isOnTop(root.current)) onClose()
      }}
      position={from}
      size={SIZES[from]}
      lockScroll={false}
      transitionProps={{ duration: 0 }}
      classNames={{ content: css[from], body: css.body }}
    >
      <Drawer.Overlay color="var(--backdrop)" backgroundOpacity={1} />
      <Drawer.Content aria-label={label} data-from={from}>
        <Drawer.Body>
          {title !== undefined && (
            <div className={css.head}>
              <h2 className={css.title} dir="auto">
                {title}
              </h2>
              <CloseButton aria-label="Close" data-autofocus onClick={onClose} />
            </div>
          )}
          {children}
        </Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  )
}
