import { Button } from '@mantine/core'
import type { KeyboardEvent, ReactNode } from 'react'
import { ChangedNote } from './changed-note.tsx'
import { Form } from './form.tsx'
import css from './form.module.css'
import type { FormFrame } from './use-form-frame.ts'
import { useUnsavedGuard } from './use-unsaved-guard.tsx'

type Props = {
  form: FormFrame
  submit: string
  onClose: () => void
  children: ReactNode
}

/** A form in place of a part of a page. Ctrl+Enter sends it; Escape closes it, and asks before changes are lost. */
export function InlineForm({ form, submit, onClose, children }: Props) {
  const isInConflict = form.conflict !== null
  const guard = useUnsavedGuard(() => form.isDirty(), form)

  async function pressKey(event: KeyboardEvent) {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !isInConflict) form.submit()
    if (event.key === 'Escape' && (await guard.mayClose())) onClose()
  }

  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- shortcuts of the two buttons
    <div onKeyDown={(event) => void pressKey(event)}>
      <Form form={form}>
        {children}
        <div className={css.buttons}>
          <ChangedNote form={form} />
          <div className={css.together}>
            <Button variant="default" disabled={form.submitting} onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={form.submitting} disabled={isInConflict}>
              {submit}
            </Button>
          </div>
        </div>
      </Form>
      {guard.question}
    </div>
  )
}
