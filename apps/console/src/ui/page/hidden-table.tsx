import css from './visually-hidden.module.css'

type Props = {
  caption: string
  head: readonly string[]
  /** The first cell names the row. */
  rows: readonly { id: string; cells: readonly (string | number)[] }[]
}

/** The figures of a chart, for screen readers. */
export function HiddenTable({ caption, head, rows }: Props) {
  return (
    <div className={css.hidden}>
      <table>
        <caption>{caption}</caption>
        <thead>
          <tr>
            {head.map((text) => (
              <th key={text} scope="col">
                {text}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ id, cells: [name, ...cells] }) => (
            <tr key={id}>
              <th scope="row">{name}</th>
              {cells.map((cell, column) => (
                <td key={head[column + 1]}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
