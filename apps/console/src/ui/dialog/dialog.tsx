import { Modal } from '@mantine/core'
import { type ReactNode, useRef } from 'react'
import css from './dialog.module.css'
import { isOnTop, useFocusRecovery } from './use-focus-recovery.ts'
import { useFocusReturn } from './use-focus-return.ts'

const WIDTHS = { sm: 400, md: 520, lg: 680, xl: 880 }

type Props = {
  title: string
  size?: keyof typeof WIDTHS
  /** Disables Escape, the backdrop and the cross. */
  busy?: boolean
  /** False for a dialog that only its own buttons close, such as a secret that is shown once. */
  closable?: boolean
  onClose: () => void
  children: ReactNode
}

/**
 * A dialog, open while rendered. The focus moves to the element with `data-autofocus`, otherwise to the first control,
 * stays inside, and returns when the dialog closes. `DialogMain` holds the content and `DialogFooter` the buttons.
 */
export function Dialog({ title, size = 'md', busy = false, closable = true, onClose, children }: Props) {
  useFocusReturn()
  useFocusRecovery()
  const root = useRef<HTMLDivElement>(null)
  return (
    <Modal
      ref={root}
      opened
      onClose={() => {
        if (isOnTop(root.current)) onClose()
      }}
      title={title}
      size={WIDTHS[size]}
      radius={14}
      centered
      // Mantine locks the scroll with a <style> element, which the browser policy forbids; styles/base.css locks instead.
      lockScroll={false}
      closeOnEscape={closable && !busy}
      closeOnClickOutside={closable && !busy}
      withCloseButton={closable}
      closeButtonProps={{ 'aria-label': 'Close', disabled: busy }}
      overlayProps={{ color: 'var(--backdrop)', backgroundOpacity: 1 }}
      transitionProps={{ duration: 0 }}
      classNames={css}
      // The <header> element would be a landmark of the page.
      attributes={{ header: { role: 'none' } }}
    >
      {children}
    </Modal>
  )
}

export function DialogMain({ children }: { children: ReactNode }) {
  return <div className={css.main}>{children}</div>
}

/** Sentences, notices and progress, one below the other. */
export function DialogText({ children }: { children: ReactNode }) {
  return <div className={css.text}>{children}</div>
}

export function DialogFooter({ children }: { children: ReactNode }) {
  return <div className={css.footer}>{children}</div>
}
