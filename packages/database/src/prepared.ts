import type { ClientBase } from 'pg'

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

/** Lets marked statements go out under their name on this connection: Kysely knows no names. */
export function nameMarkedStatements(client: ClientBase): void {
  const send = client.query.bind(client)
  Object.defineProperty(client, 'query', {
    configurable: true,
    value: (text: unknown, values?: unknown[], ...rest: unknown[]): unknown => {
      const name = typeof text === 'string' ? names.get(text) : undefined
      return Reflect.apply(
        send,
        client,
        name === undefined ? [text, values, ...rest] : [{ name, text, values }, ...rest],
      )
    },
  })
}
