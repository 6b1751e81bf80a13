export type SessionSettings = Readonly<Record<string, string | number>>

/** The settings as the startup parameter `options` of a connection. */
export function startupOptions(settings: SessionSettings): string {
  const parts = Object.entries(settings).map(
    ([name, value]) => `-c ${name}=${`${value}`.replaceAll(/[\\\s]/g, '\\$&')}`,
  )
  return parts.join(' ')
}

/** The settings as a statement that applies them to one transaction, such as a transaction pooler keeps apart. */
export function settingsOfTransaction(settings: SessionSettings): string {
  const calls = Object.entries(settings).map(([name, value]) => `set_config(${literal(name)}, ${literal(value)}, true)`)
  return `select ${calls.join(', ')}`
}

function literal(value: string | number): string {
  return `'${`${value}`.replaceAll("'", "''")}'`
}
