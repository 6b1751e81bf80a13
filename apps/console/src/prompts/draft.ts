import { promptTemplate } from '@switchboard/contract/prompts'
import * as z from 'zod/mini'

const draft = z.object({ base: promptTemplate, text: z.string() })
/** An edited text with its base version. */
export type Draft = z.infer<typeof draft>

/** Per tab and account: survives a reload, not a change of the account. */
const KEY = 'prompt_draft'
const stored = z.object({ admin_id: z.string(), draft })

/** The draft of this account in this tab, or null. */
export function storedDraft(userId: string): Draft | null {
  // An older release may have stored another shape.
  const { data } = stored.safeParse(JSON.parse(sessionStorage.getItem(KEY) ?? 'null'))
  return data?.admin_id === userId ? data.draft : null
}

export function storeDraft(userId: string, next: Draft | null): void {
  if (next === null) sessionStorage.removeItem(KEY)
  else sessionStorage.setItem(KEY, JSON.stringify({ admin_id: userId, draft: next } satisfies z.infer<typeof stored>))
}

/** A text with the line breaks of a textarea: LF only (HTML standard, API value of textarea). */
export function textInBox(template: string): string {
  return template.replace(/\r\n?/g, '\n')
}

/** The saved text of a draft, with CRLF restored if the base version has CRLF. */
export function textToSave({ base, text }: Draft): string {
  return /\r\n/.test(base.template) && !/(?<!\r)\n/.test(base.template) ? text.replaceAll('\n', '\r\n') : text
}

export function isChanged({ base, text }: Draft): boolean {
  return text !== textInBox(base.template)
}
