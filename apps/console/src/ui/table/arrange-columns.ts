/** A column in the choice of columns. */
export type ArrangedColumn = { id: string; head: string; isShown: boolean }

type Choosable = { head: string; isOptional?: boolean }

/**
 * All columns in the chosen order. An arrangement lists the ids of columns, hidden ones with a leading `-`:
 * "name,created,-type". Columns that it does not name, such as those of a newer release, keep their default, at the end.
 * The first column names the record: it stays the first and is always shown.
 */
export function arrangeColumns(columns: readonly Choosable[], arrangement: string | null): ArrangedColumn[] {
  const names = arrangement?.split(',') ?? []
  return columns
    .map(({ head, isOptional = false }, index) => {
      const id = columnId(head)
      const at = names.findIndex((name) => name === id || name === `-${id}`)
      const isShown = index === 0 || (at === -1 ? !isOptional : names[at] === id)
      return { id, head, isShown, order: index === 0 ? -1 : at === -1 ? names.length + index : at }
    })
    .toSorted((one, other) => one.order - other.order)
    .map(({ order: _order, ...arranged }) => arranged)
}

/** The arrangement of columns as text; null for the default. */
export function arrangementOf(columns: readonly Choosable[], arranged: readonly ArrangedColumn[]): string | null {
  const text = textOf(arranged)
  return text === textOf(arrangeColumns(columns, null)) ? null : text
}

function textOf(arranged: readonly ArrangedColumn[]): string {
  return arranged.map(({ id, isShown }) => (isShown ? id : `-${id}`)).join(',')
}

/** "Calls, 7 days" is "calls-7-days". */
function columnId(head: string): string {
  return head.toLowerCase().replaceAll(/[^a-z\d]+/g, '-')
}
