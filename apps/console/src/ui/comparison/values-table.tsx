import type { ReactNode } from 'react'
import css from './values-table.module.css'

type Props = {
  label: string
  /** Heads of the two values. */
  heads: readonly [string, string]
  rows: readonly { label: string; values: readonly [ReactNode, ReactNode] }[]
}

/** Fields with two values each, side by side. */
export function ValuesTable({ label, heads, rows }: Props) {
  return (
    <table className={css.values} aria-label={label}>
      <thead>
        <tr>
          {['Field', ...heads].map((head) => (
            <th key={head} scope="col">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ label: field, values: [one, other] }) => (
          <tr key={field}>
            <th scope="row">{field}</th>
            <td dir="auto">{one}</td>
            <td dir="auto">{other}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
