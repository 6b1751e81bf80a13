import { type Records, type ResultKind, resultKind, type SearchResults } from '@switchboard/contract/palette'
import { IconArrowRight, IconDots } from '@tabler/icons-react'
import { totalText } from '#src/lib/format/count.ts'
import { stringifySearch } from '#src/lists/list-search.ts'
import { type Entry, type Group, matching } from './entry.ts'
import { apiKeyEntry, noteEntry, placeEntry, taskEntry, tenantEntry, userEntry } from './record-entries.ts'

/** The kinds of records in their order: heading, and the screen with all matches, if there is one. */
const KINDS: Record<ResultKind, { heading: string; screen: string; list: string | null; view?: string }> = {
  tenants: { heading: 'Tenants', screen: 'Tenants', list: '/tenants' },
  notes: { heading: 'Notes', screen: 'Tenants', list: null },
  users: { heading: 'Users', screen: 'Users', list: '/users' },
  api_keys: { heading: 'API Keys', screen: 'API Keys', list: '/keys', view: 'all' },
  tasks: { heading: 'Tasks', screen: 'Tasks', list: '/tasks' },
  places: { heading: 'Places', screen: 'Tasks', list: '/tasks' },
}

/** The recent entries, then all screens and commands, each once. */
export function firstGroups(screens: Entry[], commands: Entry[], recent: Entry[]): Group[] {
  const isElsewhere = new Set(recent.map(({ id }) => id))
  const others = (entries: Entry[]) => entries.filter(({ id }) => !isElsewhere.has(id))
  return withEntries([
    { heading: 'Recent', entries: recent },
    { heading: 'Screens', entries: others(screens) },
    { heading: 'Actions', entries: others(commands) },
  ])
}

/** Screens and commands that match the term, and the results of the server. */
export function foundGroups(
  screens: Entry[],
  commands: Entry[],
  term: string,
  found: SearchResults | undefined,
): Group[] {
  return withEntries([
    { heading: 'Screens', entries: matching(screens, term) },
    { heading: 'Actions', entries: matching(commands, term) },
    ...(found === undefined ? [] : resultGroups(term, found)),
  ])
}

/** The entries used last, in their order: commands, and records that still exist. Loading records are placeholders. */
export function recentEntries(
  ids: readonly string[],
  commands: Entry[],
  records: Records | undefined,
  isFailed: boolean,
) {
  const known = [...commands, ...(records === undefined ? [] : recordEntries(records))]
  const byId = new Map(known.map((entry) => [entry.recentId, entry]))
  return ids.flatMap((id) => byId.get(id) ?? (records === undefined && !isFailed ? [placeholder(id)] : []))
}

function resultGroups(term: string, found: SearchResults): Group[] {
  const entries: Record<ResultKind, Entry[]> = {
    tenants: found.tenants.map(tenantEntry),
    notes: found.notes.map(noteEntry),
    users: found.users.map(userEntry),
    api_keys: found.api_keys.map(apiKeyEntry),
    tasks: found.tasks.map(taskEntry),
    places: found.places.map(placeEntry),
  }
  return resultKind.options.map((kind) => {
    const count = found.counts[kind] ?? '0'
    const isCut = Number.parseInt(count, 10) > entries[kind].length
    return {
      heading: KINDS[kind].heading,
      count: totalText(count),
      entries: isCut ? [...entries[kind], ...showAll(kind, term)] : entries[kind],
    }
  })
}

function recordEntries({ tenants, notes, users, api_keys, tasks }: Records): Entry[] {
  return [
    ...tenants.map(tenantEntry),
    ...notes.map(noteEntry),
    ...users.map(userEntry),
    ...api_keys.map(apiKeyEntry),
    ...tasks.map(taskEntry),
  ]
}

function showAll(kind: ResultKind, term: string): Entry[] {
  const { screen, list, view } = KINDS[kind]
  if (list === null) return []
  const href = `${list}${stringifySearch({ view, q: term })}`
  return [{ id: `all-${kind}`, label: `Show All in ${screen}`, Icon: IconArrowRight, source: 'result', href }]
}

function placeholder(id: string): Entry {
  return { id, label: 'Loading…', Icon: IconDots, source: 'placeholder', run: () => undefined }
}

function withEntries(groups: Group[]): Group[] {
  return groups.filter(({ entries }) => entries.length > 0)
}
