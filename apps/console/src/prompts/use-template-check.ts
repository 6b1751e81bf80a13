import { useDebouncedValue } from '@mantine/hooks'
import { EMPTY_TEMPLATE, TEMPLATE_MAX } from '@switchboard/contract/prompts'
import { useQuery } from '@tanstack/react-query'
import { countText } from '#src/lib/format/count.ts'
import { completeVariables, type Draft, textToSave } from './draft.ts'
import { previewQuery } from './prompts.api.ts'
import { type TemplateError, templateErrorOf, templateWarnings } from './template-problems.ts'

/** Debounce of the server's check. */
export const CHECK_AFTER_MS = 350

export type TemplateCheck = { error: TemplateError | null; warnings: string[] }

/** Errors and warnings of a draft: the length immediately, the rest by the server (debounced). */
export function useTemplateCheck(draft: Draft | null, tenantId?: string): TemplateCheck {
  const template = draft ? textToSave(draft) : ''
  const [settled] = useDebouncedValue(template, CHECK_AFTER_MS)
  // An addendum has the variables of the base template. Names that are not complete yet are left out.
  const declared_variables = draft && tenantId === undefined ? completeVariables(draft) : undefined
  const refusal = refusalOf(template)
  const { data, error } = useQuery({
    ...previewQuery({ template: settled, declared_variables, tenant_id: tenantId }),
    enabled: draft !== null && refusalOf(settled) === null,
  })
  // An empty text removes a saved addendum, and a new addendum begins empty.
  if (draft === null || (template === '' && tenantId !== undefined)) return { error: null, warnings: [] }
  if (refusal !== null) return { error: { message: refusal, line: null, column: null }, warnings: [] }
  return { error: templateErrorOf(error), warnings: data ? templateWarnings(data, tenantId !== undefined) : [] }
}

function refusalOf(template: string): string | null {
  if (template.trim() === '') return EMPTY_TEMPLATE
  return template.length > TEMPLATE_MAX ? `Use at most ${countText(TEMPLATE_MAX)} characters.` : null
}
