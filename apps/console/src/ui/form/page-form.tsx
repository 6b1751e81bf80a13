import { Button } from '@mantine/core'
import type { LinkOptions } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { ButtonLink } from '#src/ui/button/button-link.tsx'
import cardCss from '#src/ui/card/card.module.css'
import { Form } from './form.tsx'
import css from './form.module.css'
import type { FormFrame } from './use-form-frame.ts'
import { useUnsavedGuard } from './use-unsaved-guard.tsx'

type Props = {
  form: FormFrame
  submit: string
  isSubmitDisabled?: boolean
  /** The page that Cancel leads to. */
  cancel: LinkOptions
  children: ReactNode
}

/** A form on a separate page. Every link except Cancel asks before changes are lost. */
export function PageForm({ form, submit, isSubmitDisabled = false, cancel, children }: Props) {
  const isSaving = form.submitting
  const guard = useUnsavedGuard(form.isDirty, form)
  return (
    <>
      <Form form={form} className={`${cardCss.card} ${css.page}`}>
        {children}
        <div className={css.buttons}>
          <ButtonLink {...cancel} ignoreBlocker variant="default" disabled={isSaving}>
            Cancel
          </ButtonLink>
          <Button type="submit" loading={isSaving} disabled={isSubmitDisabled || form.conflict !== null}>
            {submit}
          </Button>
        </div>
      </Form>
      {guard.question}
    </>
  )
}
