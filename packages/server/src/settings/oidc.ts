import { type ConsoleRole, consoleRole } from '@switchboard/contract/auth/current-admin'
import { StartError } from '@switchboard/database/start/start-error'
import { z } from 'zod'

/** The claim of an identity provider that decides the role, and the role of each of its values. */
export type OidcRoles = { claim: string; roles: ReadonlyMap<string, ConsoleRole> }

/** The settings of single sign-on. `publicUrl` is the origin of the console. */
export type OidcSettings = {
  issuer: string
  clientId: string
  clientSecret: string
  roles: OidcRoles
  publicUrl: string
}

const DETAILS = ['OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET', 'OIDC_ROLES'] as const

/** All settings of single sign-on, or `null` without an issuer. Throws a StartError for some of them. */
export function oidcOf(data: {
  OIDC_ISSUER?: string | undefined
  OIDC_CLIENT_ID?: string | undefined
  OIDC_CLIENT_SECRET?: string | undefined
  OIDC_ROLES?: OidcRoles | undefined
  PASSWORD_SIGN_IN: 'on' | 'off'
  PUBLIC_URL?: string | undefined
}): OidcSettings | null {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret, OIDC_ROLES: roles } = data
  if (issuer === undefined) {
    const orphan = DETAILS.find((name) => data[name] !== undefined)
    if (orphan !== undefined) throw new StartError(`${orphan} needs OIDC_ISSUER.`)
    if (data.PASSWORD_SIGN_IN === 'off') throw new StartError('PASSWORD_SIGN_IN=off needs OIDC_ISSUER.')
    return null
  }
  if (clientId === undefined || clientSecret === undefined || roles === undefined)
    throw new StartError(`OIDC_ISSUER needs ${DETAILS.find((name) => data[name] === undefined)}.`)
  if (data.PUBLIC_URL === undefined || !isSecure(data.PUBLIC_URL))
    throw new StartError('OIDC_ISSUER needs a PUBLIC_URL with https, or of this machine.')
  return { issuer, clientId, clientSecret, roles, publicUrl: data.PUBLIC_URL }
}

/** The address of an identity provider: https, or on this machine. */
export function isIssuer(text: string): boolean {
  return URL.canParse(text) && isSecure(text) && !/[?#@\s]/.test(text)
}

function isSecure(url: string): boolean {
  return /^https:\/\/[^/]|^http:\/\/(127\.0\.0\.1|localhost|\[::1\])([:/]|$)/.test(url)
}

/** The setting OIDC_ROLES. */
export const oidcRoles = z.string().transform((text, context) => {
  const parsed = parseOidcRoles(text)
  if (!('rule' in parsed)) return parsed
  context.addIssue(parsed.rule)
  return z.NEVER
})

/** @internal Parses `groups: platform-admins=super_admin, support=support`. Returns the broken rule of any other text. */
export function parseOidcRoles(text: string): OidcRoles | { rule: string } {
  // The claim may contain colons: some identity providers name claims by an address.
  const [, claim, list] = /^(\S+):\s+(\S.*)$/.exec(text.trim()) ?? []
  if (claim === undefined || list === undefined)
    return { rule: 'must name a claim and its values, such as groups: admins=super_admin, helpers=support' }
  const roles = new Map<string, ConsoleRole>()
  for (const pair of pairsIn(list)) {
    const at = pair.lastIndexOf('=')
    const value = unquoted(pair.slice(0, Math.max(at, 0)).trim())
    if (value === null) return { rule: 'must close each double quote before the equals sign of the role' }
    const role = consoleRole.safeParse(pair.slice(at + 1).trim())
    if (value === '' || !role.success)
      return { rule: `must give each value one of the roles ${consoleRole.options.join(', ')}` }
    if (roles.has(value)) return { rule: 'must name each value once' }
    roles.set(value, role.data)
  }
  return { claim, roles }
}

/** The parts between commas. As in a CSV file, commas within double quotes do not separate. */
function pairsIn(list: string): string[] {
  const pairs: string[] = []
  let isOpen = false
  for (const part of list.split(',')) {
    const pair: string = isOpen ? `${pairs.pop()},${part}` : part
    isOpen = pair.trim().startsWith('"') && pair.split('"').length % 2 === 0
    pairs.push(pair)
  }
  return pairs
}

/** A value without its double quotes, or null if they are not closed. */
function unquoted(value: string): string | null {
  if (!value.startsWith('"')) return value
  return /^"(?:[^"]|"")*"$/.test(value) ? value.slice(1, -1).replaceAll('""', '"') : null
}
