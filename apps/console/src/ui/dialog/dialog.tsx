import { Modal } from '@mantine/core'
import '@mantine/core/styles/CloseButton.layer.css'
import '@mantine/core/styles/Modal.layer.css'
import '@mantine/core/styles/ModalBase.layer.css'
import '@mantine/core/styles/Overlay.layer.css'
import '@mantine/core/styles/Paper.layer.css'
import type { ReactNode } from 'react'
import css from './dialog.module.css'
import { useFocusKept } from './use-focus-kept.ts'
import { useFocusReturn } from './use-focus-return.ts'

const WIDTHS = { sm: 400, md: 520, lg: 680, xl: 880 }

type Props = {
  title: string
  size?: keyof typeof WIDTHS
  /** While true nothing closes the dialog: not Escape, not the backdrop, not its cross. */
  busy?: boolean
  /** Only a button of its own closes it, as when it shows what is shown once. */
  closable?: boolean
  onClose: () => void
  children: ReactNode
}

/**
 * A dialog that is open as long as it is rendered. The focus goes in, to the element with `data-autofocus` if there is
 * one, stays in, and comes back when it goes. Put what is said into `DialogMain` and the buttons into `DialogFooter`.
 */
export function Dialog({ title, size = 'md', busy = false, closable = true, onClose, children }: Props) {
  useFocusReturn()
  useFocusKept()
  return (
    <Modal
      opened
      onClose={onClose}
      title={title}
      size={WIDTHS[size]}
      radius={14}
      centered
      // Locking by Mantine would write a <style>; styles/base.css locks instead.
      lockScroll={false}
      closeOnEscape={closable && !busy}
      closeOnClickOutside={closable && !busy}
      withCloseButton={closable}
      closeButtonProps={{ 'aria-label': 'Close', disabled: busy }}
      overlayProps={{ color: 'var(--backdrop)', backgroundOpacity: 1 }}
      transitionProps={{ duration: 0 }}
      classNames={css}
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
