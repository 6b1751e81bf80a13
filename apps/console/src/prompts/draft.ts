import { promptTemplate } from '@switchboard/contract/prompts'
import * as z from 'zod/mini'

const baseVersion = z.pick(promptTemplate, { version: true, template: true })
/** The version that a change is based on. Version 0 of an addendum has no text. */
export type BaseVersion = z.infer<typeof baseVersion>

const draft = z.object({ base: baseVersion, text: z.string() })
/** An edited text with its base version. */
export type Draft = z.infer<typeof draft>

/** Per tab, account and text: survives a reload, not a change of the account. */
function keyOf(tenantId: string | undefined): string {
  return tenantId === undefined ? 'prompt_draft' : `prompt_draft_${tenantId}`
}
const stored = z.object({ admin_id: z.string(), draft })

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
