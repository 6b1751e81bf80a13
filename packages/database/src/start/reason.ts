const BY_CODE: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing answers there',
  // The Unix socket of PostgreSQL does not exist.
  ENOENT: 'nothing answers there',
  ENOTFOUND: 'no such host',
  EAI_AGAIN: 'no such host',
  EADDRINUSE: 'it is taken',
}

/** The reason for a failure of the database or of a port, in one line. */
export function reasonOf(error: unknown): string {
  // A host with several addresses has one failure for each. The first one says enough.
  const cause: unknown = error instanceof AggregateError ? error.errors[0] : error
  if (!(cause instanceof Error)) return String(cause)
  const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : ''
  const isNetwork = 'syscall' in cause && cause.syscall !== 'open'
  if (isNetwork && code in BY_CODE) return BY_CODE[code] ?? ''
  return /timeout|timed out|terminated/i.test(cause.message) ? 'it does not answer' : cause.message
}
