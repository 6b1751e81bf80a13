import { Button } from '@mantine/core'
import { IMPORT_OUTCOMES, type ImportOutcome } from '@switchboard/contract/wire/imports'
import { useId, useState } from 'react'
import { countText } from '#src/lib/format/count.ts'
import { Select } from '#src/ui/field/select.tsx'
import { Badge } from '#src/ui/badge/badge.tsx'
import { outcomeBadge, outcomeOptions, summaryOf } from './import-result-labels.ts'
import css from './import-results.module.css'
import type { RowResult } from './run-import.ts'

/** Rows shown at first, and added by each "Show more". */
const SHOWN = 100

/** The result of each row, with the number of rows by result. Rows with problems come first. */
export function ImportResults({ results }: { results: readonly RowResult[] }) {
  const id = useId()
  const [chosen, setChosen] = useState<ImportOutcome | ''>(() => worstOf(results))
  const [shown, setShown] = useState(SHOWN)
  const rows = chosen === '' ? results : results.filter(({ outcome }) => outcome === chosen)
  return (
    <div className={css.results}>
      <div className={css.head}>
        <output id={`${id}-summary`}>{summaryOf(results)}</output>
        <Select
          aria-label="Result"
          isSmall
          value={chosen}
          options={outcomeOptions(results)}
          onChange={({ currentTarget: { value } }) => {
            setChosen(IMPORT_OUTCOMES.find((outcome) => outcome === value) ?? '')
            setShown(SHOWN)
          }}
        />
      </div>
      <table className={css.table} aria-labelledby={`${id}-summary`}>
        <thead>
          <tr>
            <th scope="col" className={css.line}>
              Line
            </th>
            <th scope="col">Row</th>
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, shown).map((result) => (
            <tr key={result.row.line}>
              <td className={css.line}>{countText(result.row.line)}</td>
              <td>
                <div className={css.row}>
                  <strong dir="auto">{result.row.key === '' ? '(empty)' : result.row.key}</strong>
                  <Badge {...outcomeBadge(result)} dot />
                </div>
                {result.reason !== null && <div className="ink-2">{result.reason}</div>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > shown && (
        <Button variant="default" onClick={() => setShown(shown + SHOWN)}>
          Show {countText(Math.min(SHOWN, rows.length - shown))} More of {countText(rows.length)}
        </Button>
      )}
    </div>
  )
}

function worstOf(results: readonly RowResult[]): ImportOutcome | '' {
  return (['refused', 'different'] as const).find((worst) => results.some(({ outcome }) => outcome === worst)) ?? ''
}
