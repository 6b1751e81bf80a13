import { IMPORT_OUTCOMES, type ImportOutcome } from '@switchboard/contract/wire/imports'
import { counted, countText } from '#src/lib/format/count.ts'
import type { Tone } from '#src/ui/badge/badge.tsx'
import type { RowResult } from './run-import.ts'

type Result = Pick<RowResult, 'outcome' | 'isDone'>

const BADGES = {
  created: { tone: 'ok', text: 'Created' },
  unchanged: { tone: 'neutral', text: 'Unchanged' },
  different: { tone: 'warn', text: 'Different' },
  refused: { tone: 'bad', text: 'Refused' },
} as const satisfies Record<ImportOutcome, { tone: Tone; text: string }>

/** A row that an import would create is "New". */
export function outcomeBadge({ outcome, isDone }: Result): { tone: Tone; text: string } {
  return outcome === 'created' && !isDone ? { tone: 'info', text: 'New' } : BADGES[outcome]
}

/** "2,345 rows: 2,340 new, 4 unchanged, 1 refused". */
export function summaryOf(results: readonly Result[]): string {
  const parts = [...Map.groupBy(results, (result) => outcomeBadge(result).text)].map(
    ([text, some]) => `${countText(some.length)} ${text.toLowerCase()}`,
  )
  return `${counted(results.length, 'row')}: ${parts.join(', ')}`
}

/** The results that occur, with the numbers of their rows. */
export function outcomeOptions(results: readonly Result[]): { value: ImportOutcome | ''; label: string }[] {
  const counts = Map.groupBy(results, ({ outcome }) => outcome)
  return [
    { value: '', label: `All rows (${countText(results.length)})` },
    ...IMPORT_OUTCOMES.flatMap((outcome) => {
      const some = counts.get(outcome) ?? []
      const [first] = some
      if (first === undefined) return []
      const text = outcome === 'created' ? createdText(some) : BADGES[outcome].text
      return { value: outcome, label: `${text} (${countText(some.length)})` }
    }),
  ]
}

/** After a stopped import, some new rows are created and some are not. */
function createdText(some: readonly Result[]): string {
  const texts = new Set(some.map((result) => outcomeBadge(result).text))
  return [...texts].toSorted().join(', ')
}
