import { restorePromptVersion, savePromptTemplate } from '@switchboard/contract/prompts'
import type { Insertable } from 'kysely'
import { changedFields } from '@switchboard/database/audit/audit.queries'
import type { PromptVersionsTable } from '@switchboard/database/tables'
import { chanceOf } from './chance.ts'
import { workingMoment } from './calendar.ts'
import { actorOf, type Colleague, actingColleague, type DemoEvent } from './staff.ts'

/** Days ago, the changed part of the previous version, and the note; a number restores that version. */
type Edit = readonly [daysAgo: number, change: readonly [from: string, to: string] | number, note: string]

const EDITS: readonly Edit[] = [
  [331, ['two or three sentences', 'at most three short sentences'], 'Shorter answers: visitors read on telephones'],
  [
    287,
    ['- Ask one question at a time', '- Greet the visitor once, not in every message.\n- Ask one question at a time'],
    '',
  ],
  [
    244,
    ['Use plain words and no jargon.', 'Use plain words, no jargon and no exclamation marks.'],
    'Calmer tone, as requested by three clinics',
  ],
  [236, ['Stay polite, and stop when the visitor says no twice.', 'Stay polite.'], 'Let assertive assistants go on'],
  [229, 4, 'Visitors complained: stop after the second no, as before'],
  [160, ['offer to pass the question on.', 'offer to pass the question on to a person.'], ''],
  [
    92,
    ['- Never ask for passwords or card numbers.', '- Never ask for passwords, card numbers or health records.'],
    'Requested by legal',
  ],
  [
    33,
    ['which service fits and why', 'which service fits, why, and what happens next'],
    'Say what happens after booking',
  ],
]

/** The first template and all its later versions. */
export function planPrompts(
  first: { template_id: string; template: string },
  staff: readonly Colleague[],
  now: number,
): { versions: Insertable<PromptVersionsTable>[]; events: DemoEvent[] } {
  const chance = chanceOf('prompts')
  const texts = [first.template]
  const events: DemoEvent[] = []
  const versions = EDITS.map(([daysAgo, change, note], n): Insertable<PromptVersionsTable> => {
    const [before = '', version, restored_from] = [texts.at(-1), n + 2, typeof change === 'number' ? change : null]
    const template = typeof change === 'number' ? (texts[change - 1] ?? '') : edited(before, change)
    texts.push(template)
    const at = workingMoment(now, daysAgo, chance)
    const author = actingColleague(staff, at, chance)
    const summary = {
      version,
      size: sizeOf(template),
      note: note === '' ? undefined : note,
      restored_from: restored_from ?? undefined,
    }
    events.push({
      at,
      actor: actorOf(author, chance),
      action: (restored_from === null ? savePromptTemplate : restorePromptVersion).schema.operationId,
      outcome: 'done',
      target: { type: 'prompt', id: first.template_id, name: 'general', tenant_id: null },
      changes: changedFields<Record<string, unknown>>(
        { version: n + 1, size: sizeOf(before), note: null, restored_from: null },
        summary,
      ),
    })
    const by = { author_id: author.id, author_email: author.email, created_at: new Date(at) }
    return { template_id: first.template_id, version, template, note, restored_from, ...by }
  })
  return { versions, events }
}

/** Throws when the text to change is missing. */
function edited(text: string, [from, to]: readonly [string, string]): string {
  if (!text.includes(from)) throw new Error(`The template does not contain "${from}".`)
  return text.replace(from, to)
}

function sizeOf(text: string): number {
  return Buffer.byteLength(text)
}
