const names = new Map<string, string>()

/**
 * Marks a statement to be planned once by every connection, and afterwards only run. For what is sent thousands of
 * times and has one good plan whatever its parameters: not for searches, whose plan for any pattern reads the whole
 * table. Returns the text, for `CompiledQuery.raw`.
 */
export function prepared(text: string): string {
  names.set(text, `switchboard_${names.size + 1}`)
  return text
}

/** The name of a marked statement: node-postgres prepares named statements. Kysely knows no names. */
export function statementName(text: string): string | undefined {
  return names.get(text)
}
