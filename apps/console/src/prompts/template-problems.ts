import { type PromptPreview, refusedTemplate } from '@switchboard/contract/prompts'
import { CallError, fieldErrors } from '#src/lib/call-error.ts'

/** An error in a template, with its place if known. Lines and columns count from 1. */
export type TemplateError = { message: string; line: number | null; column: number | null }

/** The template error in a server answer; null for other failures. */
export function templateErrorOf(error: unknown): TemplateError | null {
  const message = fieldErrors(error)['template']
  if (message === undefined || !(error instanceof CallError)) return null
  const { line = null, column = null } = refusedTemplate.safeParse(error.body).data ?? {}
  return { message, line, column }
}

/** Warnings about a valid template, as sentences. An addendum need not use the goal. */
export function templateWarnings({ uses_goal, unknown_variables }: PromptPreview, isAddendum: boolean): string[] {
  const unknown = unknown_variables.map(
    ({ name, line }) => `Unknown variable: ${name} (line ${line}). No value is provided, so it renders as empty.`,
  )
  return uses_goal || isAddendum
    ? unknown
    : ['The template does not use goal: every tenant gets the same text.', ...unknown]
}

/** Offset of a line and column in a text, for a text selection. */
export function offsetOf(text: string, line: number, column: number): number {
  const before = text.split('\n').slice(0, line - 1)
  return before.reduce((sum, one) => sum + one.length + 1, 0) + column - 1
}
