import { Button } from '@mantine/core'
import { ERROR_SHOWN_MS, RESULT_SHOWN_MS } from '@switchboard/contract/account'
import { type ReactNode, useEffect } from 'react'
import type { FormFrame } from '#src/ui/form/use-form-frame.ts'
import { useUnsavedGuard } from '#src/ui/form/use-unsaved-guard.tsx'
import { Notice } from '#src/ui/notice/notice.tsx'
import css from './account.module.css'

type Props = {
  form: FormFrame
  submit: string
  /** Beside the button, when there is no message. */
  hint: string
  children: ReactNode
}

/**
 * A form that fills a card. Its foot has the hint and the button, which gets its color with the first change. A message
 * takes the place of the hint and disappears by itself.
 */
export function AccountForm({ form, submit, hint, children }: Props) {
  const { message, setMessage, submitting } = form
  const guard = useUnsavedGuard(form.isDirty, form)
  useEffect(() => {
    if (message.kind === 'none') return undefined
    const shownMs = message.kind === 'problem' ? ERROR_SHOWN_MS : RESULT_SHOWN_MS
    const timer = setTimeout(() => setMessage({ kind: 'none' }), shownMs)
    return () => clearTimeout(timer)
  }, [message, setMessage])
  return (
    <>
      <form className="stack" onSubmit={form.submit} noValidate>
        {children}
        <div className={css.foot}>
          <div className={css.hint}>
            {message.kind === 'none' ? (
              hint
            ) : (
              <Notice tone={message.kind === 'done' ? 'ok' : 'bad'}>{message.text}</Notice>
            )}
          </div>
          <Button type="submit" variant={form.isDirty() ? 'filled' : 'default'} loading={submitting}>
            {submit}
          </Button>
        </div>
      </form>
      {guard.question}
    </>
  )
}
