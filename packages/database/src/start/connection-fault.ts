import { type DatabaseUrl, parseDatabaseUrl } from '#src/connection/database-url.ts'
import { StartError } from './start-error.ts'

/** A StartError for a failed connection. It names the setting with the address, the fault and the remedy. */
export function connectionFault(error: unknown, { url, variable }: { url: string; variable: string }): StartError {
  return new StartError(`${variable}: ${sentenceOf(firstOf(error), parseDatabaseUrl(url))}`, { cause: error })
}

/** A host with several addresses has one failure for each. The first one says enough. */
function firstOf(error: unknown): unknown {
  return error instanceof AggregateError ? error.errors[0] : error
}

type Facts = { at: string; database: string; user: string; message: string; isEncrypted: boolean }

/** Codes of Node and of PostgreSQL (SQLSTATE). */
const SENTENCES: Readonly<Record<string, (facts: Facts) => string>> = {
  ECONNREFUSED: ({ at }) => `${at} refuses connections. Is PostgreSQL running there?`,
  ENOENT: ({ at }) => `${at} is not a PostgreSQL socket. Is PostgreSQL running there?`,
  ENOTFOUND: ({ at }) => `${at} is not a known host. Correct the name.`,
  EAI_AGAIN: ({ at }) => `The name server does not answer for ${at}. Check the name and the network.`,
  EHOSTUNREACH: ({ at }) => `${at} cannot be reached from here. Check the address and the network.`,
  ENETUNREACH: ({ at }) => `${at} cannot be reached from here. Check the address and the network.`,
  ETIMEDOUT: ({ at }) => `${at} does not answer. Check the address, and the firewall in between.`,
  ECONNRESET: ({ at }) => `${at} closes the connection at once. Is it PostgreSQL?`,
  // invalid_catalog_name
  '3D000': ({ at, database }) => `PostgreSQL at ${at} has no database "${database}". Create it, or correct the name.`,
  // invalid_password, which PostgreSQL also reports for an unknown user
  '28P01': ({ at, user }) =>
    `PostgreSQL at ${at} refuses the user "${user}" with this password. Correct the user or the password.`,
  // invalid_authorization_specification
  '28000': ({ at, message, isEncrypted }) =>
    `PostgreSQL at ${at} refuses this connection: ${message}. ${isEncrypted ? 'Allow it in pg_hba.conf.' : 'Allow it in pg_hba.conf, or add sslmode=verify-full if PostgreSQL requires encryption.'}`,
  // insufficient_privilege: no right to connect
  '42501': ({ at, user, database }) =>
    `PostgreSQL at ${at} does not let the user "${user}" connect. Run: grant connect on database "${database}" to "${user}"`,
  // too_many_connections
  '53300': ({ at }) => `PostgreSQL at ${at} has no free connection. Raise max_connections, or lower DATABASE_POOL.`,
  // cannot_connect_now
  '57P03': ({ at }) => `PostgreSQL at ${at} is starting or stopping. Try again in a moment.`,
  // read_only_sql_transaction
  '25006': ({ at }) => `${at} is read-only: a standby, or changes are switched off.`,
}

/** Errors of node-postgres without a code. */
const MESSAGES: readonly (readonly [message: RegExp, sentence: (facts: Facts) => string])[] = [
  [
    /does not support SSL/,
    ({ at }) => `PostgreSQL at ${at} offers no encryption. Turn on ssl there, or remove sslmode from the address.`,
  ],
  [/client password must be/, ({ at }) => `PostgreSQL at ${at} asks for a password, and the address has none.`],
  [
    /timeout|^no connection was free in time$/i,
    ({ at }) => `${at} does not answer. Check the address, and the firewall in between.`,
  ],
  [/terminated unexpectedly/, ({ at }) => `${at} closes the connection at once. Is it PostgreSQL?`],
]

function sentenceOf(error: unknown, { place, hosts, encryption }: DatabaseUrl): string {
  if (!(error instanceof Error)) return `The database ${place} cannot be used: ${String(error)}.`
  const [at = '', database = ''] = place.split(/\/(?=[^/]*$)/)
  const { username } = new URL(hosts[0]?.connectionString ?? 'postgresql:')
  const [user, isEncrypted] = [decodeURIComponent(username), encryption === 'verified' || encryption === 'unverified']
  const facts = { at, database: decodeURIComponent(database), user, message: error.message, isEncrypted }
  const code = 'code' in error ? String(error.code) : ''
  // A file of the address, such as sslrootcert.
  if ('path' in error && 'syscall' in error && error.syscall === 'open')
    return `${String(error.path)} cannot be read (${code}).`
  if (/CERT|SELF_SIGNED|UNABLE_TO_/.test(code))
    return `The certificate of ${at} is not accepted: ${error.message}. Name its CA with sslrootcert, and the host as in the certificate.`
  const sentence = SENTENCES[code] ?? MESSAGES.find(([pattern]) => pattern.test(error.message))?.[1]
  return sentence?.(facts) ?? `The database ${place} cannot be used: ${error.message}.`
}
