/** A row of a form with named values. */
export type NameValue = { name: string; value: string }

/** The rows of named values, by name. */
export function rowsOf(values: Readonly<Record<string, string>>): NameValue[] {
  const rows = Object.entries(values).map(([name, value]) => ({ name, value }))
  return rows.toSorted((one, other) => one.name.localeCompare(other.name))
}

/** The named values of rows. A row without a name and a value is left out. */
export function valuesOf(rows: readonly NameValue[]): Record<string, string> {
  return Object.fromEntries(filled(rows).map(({ name, value }) => [name.trim(), value]))
}

/** The problem of the name of each row, or null: one of `problemOf`, or a name that is used twice. */
export function nameProblems(
  rows: readonly NameValue[],
  problemOf: (name: string) => string | null,
): (string | null)[] {
  const names = rows.map(({ name }) => name.trim())
  return rows.map((row, at) => {
    if (filled([row]).length === 0) return null
    const name = row.name.trim()
    return names.indexOf(name) < at ? 'This name is used above.' : problemOf(name)
  })
}

/** The rows with a name or a value. */
export function filled(rows: readonly NameValue[]): NameValue[] {
  return rows.filter(({ name, value }) => name.trim() !== '' || value !== '')
}
