import { promptTemplate } from '@switchboard/contract/prompts'
import * as z from 'zod/mini'

const draft = z.object({ base: promptTemplate, text: z.string() })
/** A text that is being edited, and the version that it began from. */
export type Draft = z.infer<typeof draft>

/** Of this tab alone, and of whoever was signed in: it is for a reload, not for the next one at the desk. */
const KEY = 'prompt_draft'
const kept = z.object({ admin_id: z.string(), draft })

/** The draft that this admin left in this tab; null when there is none. */
export function keptDraft(userId: string): Draft | null {
  // An older release may have kept something else.
  const { data } = kept.safeParse(JSON.parse(sessionStorage.getItem(KEY) ?? 'null'))
  return data?.admin_id === userId ? data.draft : null
}

export function keepDraft(userId: string, next: Draft | null): void {
  if (next === null) sessionStorage.removeItem(KEY)
  else sessionStorage.setItem(KEY, JSON.stringify({ admin_id: userId, draft: next } satisfies z.infer<typeof kept>))
}

/** A text as a box shows it: browsers know one line break only (HTML, API value of textarea). */
export function textInBox(template: string): string {
  return template.replace(/\r\n?/g, '\n')
}

/** What is saved of a draft: with the line breaks of Windows again, if that is what it began with. */
export function textToSave({ base, text }: Draft): string {
  return /\r\n/.test(base.template) && !/(?<!\r)\n/.test(base.template) ? text.replaceAll('\n', '\r\n') : text
}

export function isChanged({ base, text }: Draft): boolean {
  return text !== textInBox(base.template)
}
