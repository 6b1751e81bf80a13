import { restorePromptVersion, savePromptTemplate } from '@switchboard/contract/prompts'
import { changedFields } from '@switchboard/database/audit/audit.queries'
import { chanceOf } from './chance.ts'
import { workingMoment } from './calendar.ts'
import { actorAt, doneBy } from './staff.ts'
import type { World } from './world.ts'

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

/** Adds the versions of the template after the first. */
export function addPrompts(world: World, first: { template_id: string; template: string }): void {
  const chance = chanceOf('prompts')
  const texts = [first.template]
  for (const [n, [daysAgo, change, note]] of EDITS.entries()) {
    const [before = '', version] = [texts.at(-1), n + 2]
    const restored = typeof change === 'number' ? change : undefined
    const template = typeof change === 'number' ? (texts[change - 1] ?? '') : edited(before, change)
    texts.push(template)
    const at = workingMoment(world.now, daysAgo, chance)
    const actor = actorAt(world.staff, at, chance)
    const target = { type: 'prompt' as const, id: first.template_id, name: 'general', tenant_id: null }
    const changes = changedFields<Record<string, unknown>>(
      { version: n + 1, size: sizeOf(before), note: null, restored_from: null },
      { version, size: sizeOf(template), note: note === '' ? undefined : note, restored_from: restored },
    )
    const endpoint = restored === undefined ? savePromptTemplate : restorePromptVersion
    world.events.push(doneBy(actor, at, endpoint, { target, changes }))
    world.rows.prompt_versions.push({
      template_id: first.template_id,
      version,
      template,
      note,
      restored_from: restored ?? null,
      author_id: actor.id,
      author_email: actor.email,
      created_at: new Date(at),
    })
  }
}

/** Throws when the text to change is missing. */
function edited(text: string, [from, to]: readonly [string, string]): string {
  if (!text.includes(from)) throw new Error(`The template does not contain "${from}".`)
  return text.replace(from, to)
}

function sizeOf(text: string): number {
  return Buffer.byteLength(text)
}
