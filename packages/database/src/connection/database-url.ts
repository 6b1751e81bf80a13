import { readFile } from 'node:fs/promises'
import type { ClientConfig } from 'pg'
import { parseIntoClientConfig } from 'pg-connection-string'

/** A database, parsed from `DATABASE_URL`. */
export type DatabaseUrl = {
  /** The hosts in the order of connection attempts: a connection string for each, for node-postgres. */
  hosts: readonly Host[]
  /** The file whose password every new connection reads; null: the password is in the connection strings, if any. */
  passwordFile: string | null
  /** Whether to skip read-only hosts. */
  isWritableOnly: boolean
  /** Settings of every session, from `options=-c name=value`. */
  settings: Readonly<Record<string, string>>
  /** `disabled` is `none` by choice, with `sslmode=disable`. */
  encryption: 'none' | 'disabled' | 'unverified' | 'verified'
  /** `host:port/database`, without user and password. */
  place: string
}
type Host = { connectionString: string; isLocal: boolean }

const RULE = 'must be like postgresql://user:password@host:5432/database'
/** If they are not escaped, these characters end the user or the password, or begin an escape. */
const ESCAPE_RULE = `${RULE}, with the characters # / ? % of the user and the password percent-encoded as %23 %2F %3F %25`

/** Modes sent as `verify-full`: node-postgres has no weaker check, and warns about the other names. */
const VERIFIED_MODES = new Set(['require', 'verify-ca', 'verify-full'])

/**
 * Reads a connection string of libpq's form: several hosts (`host1:5432,host2:5432`), `target_session_attrs`
 * (`read-write` or `any`), `options` and `sslmode`, which node-postgres lacks or interprets differently, and our
 * `password_file`. Throws an Error whose message continues the name of the variable: "must be …".
 */
export function parseDatabaseUrl(text: string): DatabaseUrl {
  const [, scheme = '', authority = '', rest = ''] = /^(postgres(?:ql)?:\/\/)([^/?#]*)(.*)$/s.exec(text) ?? []
  const credentials = authority.slice(0, authority.lastIndexOf('@') + 1)
  const query = URL.parse(`${scheme}${rest}`)?.searchParams
  if (scheme === '' || query === undefined) throw new Error(RULE)
  // Without this check, "u:12/3@host" would be the database "3@host" of a host "u".
  if (/^[^=]*@/.test(rest) || !isDecodable(credentials)) throw new Error(ESCAPE_RULE)
  const names = (query.get('host') ?? authority.slice(credentials.length)).split(',')
  const ports = (query.get('port') ?? '').split(',')
  const urls = names.map((name, n) => hostUrl(`${scheme}${credentials}`, rest, name, ports[n] ?? ports[0] ?? ''))
  return {
    passwordFile: query.get('password_file'),
    hosts: urls.map((url) => ({ connectionString: url.toString(), isLocal: isLocal(url) })),
    isWritableOnly: isWritableOnly(query.get('target_session_attrs'), names.length),
    settings: settingsOf(query.get('options') ?? ''),
    encryption: encryptionOf(query),
    place: `${urls.map(hostAndPort).join(',')}${urls[0]?.pathname ?? ''}`,
  }
}

/** The address of another database of the same server. */
export function urlOfDatabase(text: string, name: string): string {
  return text.replace(/^([^:]+:\/\/[^/?#]*)(?:\/[^?#]*)?/, (_, start: string) => `${start}/${encodeURIComponent(name)}`)
}

/** The options of node-postgres for a connection to one of the hosts. */
export function clientConfigOf({ hosts, passwordFile }: DatabaseUrl, host: number): ClientConfig {
  const connectionString = hosts[host % hosts.length]?.connectionString ?? ''
  if (passwordFile === null) return { connectionString }
  // node-postgres ignores a function beside a connection string.
  const config = parseIntoClientConfig(connectionString)
  const password = async () => {
    try {
      return passwordIn(await readFile(passwordFile, 'utf8'))
    } catch (error) {
      // Only root may read the file, and the servers have given up root: the password read at the start stays.
      const isForbidden = error instanceof Error && 'code' in error && error.code === 'EACCES'
      if (isForbidden && typeof config.password === 'string') return config.password
      throw error
    }
  }
  return { ...config, password }
}

/** Whether every `%` in a text begins a valid UTF-8 escape. */
export function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

/** @internal The password in a text: the text is an address with a password, or the password without its last line break. */
export function passwordIn(text: string): string {
  const [, password] = /^postgres(?:ql)?:\/\/[^:@/]*:([^/?#]*)@/.exec(text) ?? []
  return password === undefined ? text.replace(/\r?\n$/, '') : decodeURIComponent(password)
}

/** The connection string of one host, with the parameters for node-postgres. */
function hostUrl(start: string, rest: string, name: string, port: string): URL {
  const isFolder = name.startsWith('/')
  // A user cannot be written before an empty host; the parameter `host` wins over the written host.
  const url = URL.parse(`${start}${isFolder ? 'localhost' : name}${rest}`)
  if (url === null) throw new Error(/@/.test(rest) ? ESCAPE_RULE : RULE)
  for (const parameter of ['host', 'port', 'options', 'target_session_attrs', 'password_file'])
    url.searchParams.delete(parameter)
  if (isFolder) url.searchParams.set('host', name)
  if (port !== '') url.searchParams.set('port', port)
  const ssl = url.searchParams.get('ssl')
  if (ssl !== null && !['0', '1', 'true'].includes(ssl)) {
    // With a password file, node-postgres would ignore any other text and not encrypt.
    url.searchParams.delete('ssl')
    url.searchParams.set('sslmode', ssl === 'no-verify' ? ssl : 'verify-full')
  }
  if (VERIFIED_MODES.has(url.searchParams.get('sslmode') ?? '')) url.searchParams.set('sslmode', 'verify-full')
  return url
}

function hostAndPort({ hostname, port, searchParams }: URL): string {
  return `${searchParams.get('host') ?? hostname}:${searchParams.get('port') ?? (port === '' ? '5432' : port)}`
}

/** A socket of this machine or its loopback interface: the network cannot read the traffic. */
function isLocal({ hostname, searchParams }: URL): boolean {
  return searchParams.has('host') || /^(|localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)
}

/** Several hosts without the attribute are a primary with its standbys. */
function isWritableOnly(attribute: string | null, hosts: number): boolean {
  if (attribute !== null && attribute !== 'read-write' && attribute !== 'any')
    throw new Error('must have target_session_attrs=read-write or target_session_attrs=any')
  return attribute === null ? hosts > 1 : attribute === 'read-write'
}

/** `-c name=value` or `--name=value`, where a backslash keeps a space (PostgreSQL's documentation of libpq, `options`). */
function settingsOf(options: string): Record<string, string> {
  const settings = [...options.matchAll(/\s*(?:-c\s*|--)([\w.-]+)=((?:\\.|[^\s\\])*)\s*/gy)]
  if (settings.map(([all]) => all).join('') !== options) throw new Error('must have options of the form -c name=value')
  return Object.fromEntries(
    settings.map(([, name = '', value = '']) => [name.replaceAll('-', '_'), value.replaceAll(/\\(.)/g, '$1')]),
  )
}

function encryptionOf(query: URLSearchParams): DatabaseUrl['encryption'] {
  const mode = query.get('sslmode')
  if (mode === 'no-verify') return 'unverified'
  if (mode !== null && VERIFIED_MODES.has(mode)) return 'verified'
  if (mode === 'disable') return 'disabled'
  if (mode !== null) throw new Error('must have sslmode=disable, no-verify, require, verify-ca or verify-full')
  const hasSslParameter = ['ssl', 'sslcert', 'sslkey', 'sslrootcert'].some((name) => query.has(name))
  return hasSslParameter ? 'verified' : 'none'
}
