import type { PromptTemplate } from '@switchboard/contract/prompts'

/** A text that is being edited, and the version that it began from. */
export type Draft = { base: PromptTemplate; text: string }

/** Of this tab alone, and of whoever was signed in: it is for a reload, not for the next one at the desk. */
const KEY = 'prompt_draft'

/** The draft that this admin left in this tab; null when there is none. */
export function keptDraft(adminId: string): Draft | null {
  const kept = sessionStorage.getItem(KEY)
  if (kept === null) return null
  const { admin_id, draft }: { admin_id: string; draft: Draft } = JSON.parse(kept)
  return admin_id === adminId ? draft : null
}

export function keepDraft(adminId: string, draft: Draft | null): void {
  if (draft === null) sessionStorage.removeItem(KEY)
  else sessionStorage.setItem(KEY, JSON.stringify({ admin_id: adminId, draft }))
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
