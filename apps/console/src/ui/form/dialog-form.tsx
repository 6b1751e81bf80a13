import { Button } from '@mantine/core'
import { type ComponentProps, type MouseEvent, useId } from 'react'
import { Dialog, DialogFooter, DialogMain } from '#src/ui/dialog/dialog.tsx'
import { ChangedNote } from './changed-note.tsx'
import { Form } from './form.tsx'
import css from './form.module.css'
import type { FormFrame } from './use-form-frame.ts'
import { useUnsavedGuard } from './use-unsaved-guard.tsx'

type Props = Omit<ComponentProps<typeof Dialog>, 'busy'> & {
  form: FormFrame
  submit: string
  /** Label during a save; without it the button shows a spinner. */
  submitting?: string
  isSubmitDisabled?: boolean
  /** For a change that breaks something at once. */
  isDanger?: boolean
  cancel?: string
  /** False for a search, which has no changes to lose. */
  isGuarded?: boolean
}

/** A form in a dialog. A save keeps the dialog open; Escape, the backdrop and the cross ask before changes are lost. */
export function DialogForm({ form, submit, submitting, isSubmitDisabled = false, isDanger = false, ...props }: Props) {
  const { cancel = 'Cancel', isGuarded = true, children, onClose, ...dialog } = props
  const id = useId()
  const isSaving = form.submitting
  const guard = useUnsavedGuard(() => isGuarded && form.isDirty(), form)

  async function close() {
    if (await guard.mayClose()) onClose()
  }

  return (
    <>
      <Dialog {...dialog} busy={isSaving} onClose={() => void close()}>
        <DialogMain>
          <Form form={form} id={id}>
            {children}
          </Form>
        </DialogMain>
        <DialogFooter>
          <ChangedNote form={form} />
          <div className={css.together}>
            <Button variant="default" disabled={isSaving} onMouseDown={keepFocus} onClick={onClose}>
              {cancel}
            </Button>
            <Button
              type="submit"
              form={id}
              {...(isDanger && { color: 'red' })}
              loading={isSaving && submitting === undefined}
              disabled={isSaving || isSubmitDisabled || form.conflict !== null}
              onMouseDown={keepFocus}
            >
              {isSaving && submitting !== undefined ? submitting : submit}
            </Button>
          </div>
        </DialogFooter>
      </Dialog>
      {guard.question}
    </>
  )
}

/** Keeps an open list of options open: when it closes, the button moves away under the pointer. */
function keepFocus(event: MouseEvent) {
  event.preventDefault()
}
