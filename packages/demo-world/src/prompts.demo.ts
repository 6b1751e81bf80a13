import { restorePromptVersion, savePromptTemplate } from '@switchboard/contract/prompts'
import type { DeclaredVariables } from '@switchboard/contract/prompts/variables'
import { changedFields } from '@switchboard/database/audit/audit.queries'
import { chanceOf } from './chance.ts'
import { workingMoment } from './calendar.ts'
import { actorAt, doneBy } from './staff.ts'
import type { World } from './world.ts'

/**
 * Days ago, the changed part of the previous version, the note, and the variables that the version declares in addition; a
 * number restores that version.
 */
type Edit = readonly [
  daysAgo: number,
  change: readonly [from: string, to: string] | number,
  note: string,
  declared?: DeclaredVariables,
]

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
  [
    12,
    ['How you speak', 'The visitor is looking at the page "{{ page_title }}".\n\nHow you speak'],
    'Answer for the page that the visitor reads',
    { page_title: 'Home' },
  ],
]

type VersionContent = { template: string; declared_variables: DeclaredVariables }

/** Adds the versions of the template after the first. */
export function addPrompts(world: World, first: VersionContent & { template_id: string }): void {
  const chance = chanceOf('prompts')
  const versions: VersionContent[] = [first]
  for (const [n, [daysAgo, change, note, declared]] of EDITS.entries()) {
    const [before = first, version] = [versions.at(-1), n + 2]
    const restored = typeof change === 'number' ? change : undefined
    const after = typeof change === 'number' ? (versions[change - 1] ?? first) : edited(before, change, declared)
    versions.push(after)
    const at = workingMoment(world.now, daysAgo, chance)
    const actor = actorAt(world.staff, at, chance)
    const target = { type: 'prompt' as const, id: first.template_id, name: 'general', tenant_id: null }
    const changes = changedFields<Record<string, unknown>>(
      {
        ...(declared && { declared_variables: before.declared_variables }),
        version: n + 1,
        size: sizeOf(before.template),
        note: null,
        restored_from: null,
      },
      {
        ...(declared && { declared_variables: after.declared_variables }),
        version,
        size: sizeOf(after.template),
        note: note === '' ? undefined : note,
        restored_from: restored,
      },
    )
    const endpoint = restored === undefined ? savePromptTemplate : restorePromptVersion
    world.events.push(doneBy(actor, at, endpoint, { target, changes }))
    world.rows.prompt_versions.push({
      template_id: first.template_id,
      version,
      template: after.template,
      declared_variables: JSON.stringify(after.declared_variables),
      note,
      restored_from: restored ?? null,
      author_id: actor.id,
      author_email: actor.email,
      created_at: new Date(at),
    })
  }
}

/** Throws when the text to change is missing. */
function edited(
  { template, declared_variables }: VersionContent,
  [from, to]: readonly [string, string],
  declared: DeclaredVariables = {},
): VersionContent {
  if (!template.includes(from)) throw new Error(`The template does not contain "${from}".`)
  return { template: template.replace(from, to), declared_variables: { ...declared_variables, ...declared } }
}

function sizeOf(text: string): number {
  return Buffer.byteLength(text)
}
