import { Button } from '@mantine/core'
import type { ComponentProps, ReactNode } from 'react'
import { Dialog, DialogFooter, DialogMain } from '#src/ui/dialog/dialog.tsx'
import { SecondStep } from './second-step.tsx'

type Props = ComponentProps<typeof SecondStep> &
  Pick<ComponentProps<typeof Dialog>, 'title' | 'closable' | 'onClose'> & {
    /** Label of the button that closes the dialog. */
    cancel: string
    children?: ReactNode
  }

/** Asks for a second factor over a page. */
export function SecondStepDialog({ title, closable = true, cancel, onClose, children, ...step }: Props) {
  return (
    <Dialog title={title} size="sm" closable={closable} onClose={onClose}>
      <DialogMain>
        {children}
        <SecondStep {...step} />
      </DialogMain>
      <DialogFooter>
        <Button variant="default" onClick={onClose}>
          {cancel}
        </Button>
      </DialogFooter>
    </Dialog>
  )
}
