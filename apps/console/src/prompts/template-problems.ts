import { type PromptPreview, refusedTemplate } from '@switchboard/contract/prompts'
import { CallError, fieldErrors } from '#src/lib/call-error.ts'

/** What keeps a template from being used, and where, if that is known. Lines and columns count from 1. */
export type TemplateError = { message: string; line: number | null; column: number | null }

/** What the server says is wrong with a template; null for failures of another kind. */
export function templateErrorOf(error: unknown): TemplateError | null {
  const message = fieldErrors(error)['template']
  if (message === undefined || !(error instanceof CallError)) return null
  const { line = null, column = null } = refusedTemplate.safeParse(error.body).data ?? {}
  return { message, line, column }
}

/** What is doubtful in a template that can be used, as sentences. */
export function templateWarnings({ uses_goal, unknown_variables }: PromptPreview): string[] {
  const unknown = unknown_variables.map(
    ({ name, line }) => `Unknown variable: ${name} (line ${line}). No value is provided, so it renders as empty.`,
  )
  return uses_goal ? unknown : ['The template does not use goal: every tenant gets the same text.', ...unknown]
}

/** Where a line and column are in a text, as a box selects it. */
export function offsetOf(text: string, line: number, column: number): number {
  const before = text.split('\n').slice(0, line - 1)
  return before.reduce((sum, one) => sum + one.length + 1, 0) + column - 1
}
