import { promptTemplate } from '@switchboard/contract/prompts'
import { type DeclaredVariables, variableNameProblem } from '@switchboard/contract/prompts/variables'
import * as z from 'zod/mini'
import { nameProblems, type NameValue, rowsOf, valuesOf } from '#src/ui/form/name-values.ts'

const baseVersion = z.pick(promptTemplate, { version: true, template: true, declared_variables: true })
/** The version that a change is based on. Version 0 of an addendum has no text. */
export type BaseVersion = z.infer<typeof baseVersion>
/** What a version consists of: its text and its declared variables. */
export type VersionContent = Pick<BaseVersion, 'template' | 'declared_variables'>

const draftSchema = z.object({
  base: baseVersion,
  text: z.string(),
  variables: z.array(z.object({ name: z.string(), value: z.string() })),
})
/** An edited text and its declared variables, with the base version. */
export type Draft = z.infer<typeof draftSchema>

/** Per tab, account and text: survives a reload, not a change of the account. */
function keyOf(tenantId: string | undefined): string {
  return tenantId === undefined ? 'prompt_draft' : `prompt_draft_${tenantId}`
}
const stored = z.object({ admin_id: z.string(), draft: draftSchema })

/** The draft of this account in this tab, of the base template or of a tenant's addendum; null without one. */
export function storedDraft(userId: string, tenantId: string | undefined): Draft | null {
  // An older release may have stored another shape.
  const { data } = stored.safeParse(JSON.parse(sessionStorage.getItem(keyOf(tenantId)) ?? 'null'))
  return data?.admin_id === userId ? data.draft : null
}

export function storeDraft(userId: string, tenantId: string | undefined, next: Draft | null): void {
  if (next === null) return sessionStorage.removeItem(keyOf(tenantId))
  const value = { admin_id: userId, draft: next } satisfies z.infer<typeof stored>
  sessionStorage.setItem(keyOf(tenantId), JSON.stringify(value))
}

/** The draft of a version without changes. */
export function draftOf(base: BaseVersion): Draft {
  return { base, text: textInBox(base.template), variables: rowsOf(base.declared_variables) }
}

/** A text with the line breaks of a textarea: LF only (HTML standard, API value of textarea). */
export function textInBox(template: string): string {
  return template.replace(/\r\n?/g, '\n')
}

/** The saved text of a draft, with CRLF restored if the base version has CRLF. */
export function textToSave({ base, text }: Pick<Draft, 'base' | 'text'>): string {
  return /\r\n/.test(base.template) && !/(?<!\r)\n/.test(base.template) ? text.replaceAll('\n', '\r\n') : text
}

/** The version that a draft becomes. */
export function contentOf(draft: Draft): VersionContent {
  return { template: textToSave(draft), declared_variables: completeVariables(draft) }
}

/** The declared variables of a draft with a usable name. */
export function completeVariables({ variables }: Draft): DeclaredVariables {
  const problems = variableProblems(variables)
  return valuesOf(variables.filter((_, at) => problems[at] === null))
}

export function isChanged(draft: Draft): boolean {
  const { base, text, variables } = draft
  return (
    text !== textInBox(base.template) || variablesText(valuesOf(variables)) !== variablesText(base.declared_variables)
  )
}

/** Declared variables as a text with a line for each. */
export function variablesText(declared: DeclaredVariables): string {
  return rowsOf(declared)
    .map(({ name, value }) => `${name}: ${value}`)
    .join('\n')
}

/** The problems of the names of declared variables, by row. */
export function variableProblems(rows: readonly NameValue[]): (string | null)[] {
  return nameProblems(rows, (name) => (name === '' ? 'A variable needs a name.' : variableNameProblem(name)))
}
