export type SessionSettings = Readonly<Record<string, string | number>>

/** The settings as the startup parameter `options` of a connection. */
export function startupOptions(settings: SessionSettings): string {
  const parts = Object.entries(settings).map(
    ([name, value]) => `-c ${name}=${`${value}`.replaceAll(/[\\\s]/g, '\\$&')}`,
  )
  return parts.join(' ')
}

/** The settings as a statement for a single transaction, as behind a transaction pooler. */
export function settingsOfTransaction(settings: SessionSettings): string {
  const calls = Object.entries(settings).map(([name, value]) => `set_config(${literal(name)}, ${literal(value)}, true)`)
  return `select ${calls.join(', ')}`
}

function literal(value: string | number): string {
  return `'${`${value}`.replaceAll("'", "''")}'`
}
