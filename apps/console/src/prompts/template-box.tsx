import { Button } from '@mantine/core'
import { TEMPLATE_MAX } from '@switchboard/contract/prompts'
import { PROMPT_VARIABLES } from '@switchboard/contract/prompts/variables'
import { useEffect, useId, useRef } from 'react'
import { countText } from '#src/lib/format/count.ts'
import fieldCss from '#src/ui/field/field.module.css'
import { Field, invalid } from '#src/ui/field/field.tsx'
import { Notice } from '#src/ui/notice/notice.tsx'
import css from './template-box.module.css'
import { offsetOf, type TemplateError } from './template-problems.ts'
import type { TemplateCheck } from './use-template-check.ts'

const ROWS = 20
const ADDENDUM_ROWS = 12
const [AUTHOR_VARIABLE, ...OTHER_VARIABLES] = PROMPT_VARIABLES

type Props = {
  text: string
  isAddendum: boolean
  check: TemplateCheck
  /** Absent in the read-only view. */
  onChange?: (text: string) => void
}

/** Editor of a template with its length and its problems. */
export function TemplateBox({ text, isAddendum, check: { error, warnings }, onChange }: Props) {
  const box = useRef<HTMLTextAreaElement>(null)
  const id = useId()
  const helpId = useId()
  const isEditing = onChange !== undefined
  useEffect(() => {
    if (isEditing) box.current?.focus({ preventScroll: true })
  }, [isEditing])

  function goTo({ line, column }: TemplateError) {
    const at = offsetOf(text, line ?? 1, column ?? 1)
    box.current?.focus()
    box.current?.setSelectionRange(at, at + 1)
  }

  return (
    <div className={css.box}>
      <Field id={id} label={isAddendum ? 'Addendum' : 'Template'} error={error !== null}>
        <textarea
          {...invalid(id, error !== null)}
          ref={box}
          id={id}
          rows={isAddendum ? ADDENDUM_ROWS : ROWS}
          value={text}
          readOnly={!isEditing}
          spellCheck={isEditing}
          dir="auto"
          className={`${fieldCss.input} ${css.text} ${isEditing ? '' : css.readOnly}`}
          aria-describedby={helpId}
          onChange={(event) => onChange?.(event.currentTarget.value)}
        />
      </Field>
      <div className={css.foot} id={helpId}>
        {isAddendum ? (
          <p>Variables are filled in as in the base template.</p>
        ) : (
          <p>
            Available variable: <code>{AUTHOR_VARIABLE}</code>
            <span className={css.more}>
              {' '}
              · Filled in automatically:{' '}
              {OTHER_VARIABLES.map((name) => (
                <code key={name}>{name}</code>
              ))}
            </span>
          </p>
        )}
        <p className={`${css.count} ${text.length > TEMPLATE_MAX ? css.over : ''}`}>
          {countText(text.length)} / {countText(TEMPLATE_MAX)} characters
        </p>
      </div>
      {error !== null && (
        <Notice tone="bad">
          {error.message}{' '}
          {error.line !== null && (
            <Button variant="subtle" color="gray" size="compact-xs" onClick={() => goTo(error)}>
              Go to Line {error.line}
            </Button>
          )}
        </Notice>
      )}
      {warnings.map((warning) => (
        <Notice key={warning} tone="warn">
          {warning}
        </Notice>
      ))}
    </div>
  )
}
