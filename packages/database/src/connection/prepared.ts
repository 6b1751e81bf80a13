const names = new Map<string, string>()

/**
 * Marks a statement as prepared: each connection plans the statement once. For frequent statements with one good plan for
 * all parameters; not for searches, whose generic plan reads the whole table. Returns the text for `CompiledQuery.raw`.
 */
export function prepared(text: string): string {
  names.set(text, `switchboard_${names.size + 1}`)
  return text
}

/** The name of a prepared statement for node-postgres. Kysely has no names. */
export function statementName(text: string): string | undefined {
  return names.get(text)
}
