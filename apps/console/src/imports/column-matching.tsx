import { unescapedCell } from '@switchboard/contract/csv/csv-cells'
import { useId } from 'react'
import { counted } from '#src/lib/format/count.ts'
import { Select } from '#src/ui/field/select.tsx'
import css from './column-matching.module.css'
import type { ImportColumn } from './imported-nouns.ts'
import { ignoredColumns, type Matching } from './match-columns.ts'
import type { Table } from './read-table.ts'

type Props = {
  columns: readonly ImportColumn[]
  table: Table
  matching: Matching
  isDisabled: boolean
  onChange: (matching: Matching) => void
}

/** Chooses the column of the file for each value, with the first cell as an example. */
export function ColumnMatching({ columns, table, matching, isDisabled, onChange }: Props) {
  const id = useId()
  const options = [
    { value: '', label: 'Not imported' },
    ...table.head.map((name, at) => ({ value: String(at), label: name === '' ? `Column ${at + 1}` : name })),
  ]
  const ignored = ignoredColumns(table.head, matching)
  return (
    <div className={css.columns}>
      {columns.map(({ name, label, hint, isRequired = false }) => {
        const place = matching[name] ?? null
        const isMissing = isRequired && place === null
        return (
          <div key={name} className={css.column}>
            <label htmlFor={`${id}-${name}`} className={css.label}>
              {label}
              {isRequired && <span className={css.required}> (required)</span>}
            </label>
            <Select
              id={`${id}-${name}`}
              options={options}
              value={place === null ? '' : String(place)}
              disabled={isDisabled}
              aria-invalid={isMissing}
              aria-describedby={`${id}-${name}-hint`}
              onChange={({ currentTarget: { value } }) =>
                onChange({ ...matching, [name]: value === '' ? null : Number(value) })
              }
            />
            <p id={`${id}-${name}-hint`} className={isMissing ? css.missing : css.hint}>
              {isMissing ? 'Choose a column.' : place === null ? hint : exampleOf(table, place, hint)}
            </p>
          </div>
        )
      })}
      {ignored.length > 0 && (
        <p className={css.ignored}>
          Not imported: <bdi>{ignored.join(', ')}</bdi>.
        </p>
      )}
      {table.blankCount > 0 && (
        <p className={css.ignored}>
          {counted(table.blankCount, 'empty row')} {table.blankCount === 1 ? 'is' : 'are'} left out.
        </p>
      )}
    </div>
  )
}

function exampleOf(table: Table, place: number, hint: string): string {
  const cell = table.rows.map(({ cells }) => cells[place] ?? '').find((text) => text.trim() !== '')
  return cell === undefined ? `${hint} All cells are empty.` : `First: ${unescapedCell(cell).slice(0, 80)}`
}
