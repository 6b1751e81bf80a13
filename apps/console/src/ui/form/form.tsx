import type { ReactNode } from 'react'
import { Notice } from '#src/ui/notice/notice.tsx'
import { focusFirstField } from '#src/ui/dialog/use-focus-return.ts'
import type { FormFrame } from './use-form-frame.ts'

type Props = { form: FormFrame; id?: string; className?: string | undefined; children: ReactNode }

/** The form element with the message about the form at its top. The first field, or a chosen one, has the focus. */
export function Form({ form, id, className = 'stack', children }: Props) {
  return (
    <form ref={focusFirstField} {...(id && { id })} className={className} onSubmit={form.submit} noValidate>
      {form.message.kind !== 'none' && (
        // A new element for each attempt: screen readers announce the same sentence again.
        <Notice key={form.attempts} tone="bad">
          {form.message.text}
        </Notice>
      )}
      {children}
    </form>
  )
}
