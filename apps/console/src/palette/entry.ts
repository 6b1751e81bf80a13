import type { Capability } from '@switchboard/contract/auth/capabilities'
import type { Icon } from '@tabler/icons-react'
import type { Tone } from '#src/ui/badge/badge.tsx'
import type { RequestedAction } from '#src/ui/table/use-requested-action.ts'

/** An entry of the palette: leads to an address, or runs a command. */
export type Entry = {
  id: string
  label: string
  hint?: string
  /** State of a record. */
  badge?: { tone: Tone; text: string }
  Icon: Icon
  /** For the roles with this capability; by default for every role. */
  capability?: Capability
  danger?: boolean
  /** Synonyms for the search; not shown. */
  synonyms?: string
  /**
   * Whether the entry depends on an answer of the server: `result` is a match of the typed term, `placeholder` stands
   * for a record that is loading.
   */
  source?: 'result' | 'placeholder'
  /** Remembered under this id among the entries used last. */
  recentId?: string
  /** Actions of a record, the second step of the palette. */
  actions?: Entry[]
} & ({ href: string; action?: RequestedAction } | { run: () => void })

/** Entries under one heading. `count`: number of matches, of which only the best are entries. */
export type Group = { heading: string; count?: string; entries: Entry[] }

/** The entries that contain every word of a term. */
export function matching(entries: Entry[], term: string): Entry[] {
  const words = term.toLowerCase().split(/\s+/)
  return entries.filter((entry) => {
    const text = `${entry.label} ${entry.synonyms ?? ''}`.toLowerCase()
    return words.every((word) => text.includes(word))
  })
}
