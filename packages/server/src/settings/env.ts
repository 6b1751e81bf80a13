import { isIP } from 'node:net'
import path from 'node:path'
import { CONSOLE_PASSWORD_MIN, email, PASSWORD_MAX } from '@switchboard/contract/auth/current-admin'
import { parseAllowedOrigin } from '@switchboard/contract/api-keys/allowed-origins'
import type { SystemSetting } from '@switchboard/contract/system'
import { StartError } from '@switchboard/database/start/start-error'
import { START_MS } from '@switchboard/database/start/until-started'
import { z } from 'zod'
import { auditRetentionOf, months } from './audit-settings.ts'
import { databaseUrl } from './database-urls.ts'
import { likelyCause } from './likely-cause.ts'
import { isOrigin, secureOrigin } from './origins.ts'
import { isIssuer, oidcOf, oidcRoles } from './oidc.ts'
import { isSender, mailSettings, smtpUrl } from './mail-settings.ts'
import {
  isProxyUrl,
  outboundProxies,
  PROXY_VARIABLES,
  withoutCredentials,
  withProxyVariables,
} from './outbound-proxies.ts'
import { passedSockets } from './passed-sockets.ts'
import { withSecretFiles } from './secret-files.ts'
import { withoutServiceLinks } from './service-links.ts'
import { secretKey, secretKeys, signingSecrets } from './secret-keys.ts'
import { tracingOf } from './tracing.ts'

export type Settings = ReturnType<typeof parseSettings>

/** The settings of this process. Throws a StartError that names the variable and its rule. */
export function readSettings(): Settings {
  return parseSettings(process.env)
}

/** Like `readSettings`, but from any environment. An empty variable counts as unset. */
export function parseSettings(given: NodeJS.ProcessEnv) {
  const { env: own, warnings } = ownVariables(given)
  refuseUnknown(own)
  const env = withSecretFiles(withProxyVariables(own), SECRET)
  const { success, error, data } = variables.safeParse(
    Object.fromEntries(Object.entries(env).filter(([, value]) => value !== '')),
  )
  if (!success) throw new StartError(sentence(error, env))
  refuseSamePorts(data)
  if (data.DATABASE_DIRECT_URL !== undefined && data.DATABASE_URL === undefined)
    throw new StartError('DATABASE_DIRECT_URL needs DATABASE_URL.')
  for (const name of ['GOOGLE_PLACES_URL', 'GOOGLE_PHOTOS_URL'] as const)
    if (data[name] !== undefined && data.GOOGLE_MAPS_API_KEY === undefined)
      throw new StartError(`${name} needs GOOGLE_MAPS_API_KEY.`)
  return {
    /** Port of admin-api and the console; 0 for any free port. */
    port: data.PORT,
    aiPort: data.AI_PORT,
    host: data.HOST,
    /** Sockets that the supervisor listens on for this process, by the variable of their port. */
    sockets: passedSockets(env, process.pid),
    /** Address and ports for operators: metrics and API documents of admin-api and ai-api, metrics and health of the worker. */
    opsHost: data.OPS_HOST,
    opsPort: data.OPS_PORT,
    aiOpsPort: data.AI_OPS_PORT,
    workerOpsPort: data.WORKER_OPS_PORT,
    /** Public origin of the console. Undefined: any host is served. */
    publicUrl: data.PUBLIC_URL,
    /** Null: the servers send no mail. */
    mail: mailSettings(data, outboundProxies(data)),
    /** Address for security reports: `mailto:` or `https:`. */
    securityContact: data.SECURITY_CONTACT ?? `mailto:security@${data.PLATFORM_DOMAIN.replace(/:\d+$/, '')}`,
    /** Undefined: the embedded PostgreSQL. */
    databaseUrl: data.DATABASE_URL,
    /** Direct URL of PostgreSQL when `databaseUrl` leads through a transaction pooler. */
    databaseDirectUrl: data.DATABASE_DIRECT_URL,
    /** Maximum number of connections of the main pool. */
    databasePool: data.DATABASE_POOL,
    dataDir: data.DATA_DIR,
    /** Folder of the backups that the servers make by themselves, and of `npm run backup` without a name. */
    backupDir: data.BACKUP_DIR ?? path.join(data.DATA_DIR, 'backups'),
    /** Folder of archived months of the audit log, and which months go there. Null: none. */
    auditArchive: data.AUDIT_ARCHIVE,
    auditRetention: auditRetentionOf(data),
    superAdminEmail: data.SUPER_ADMIN_EMAIL,
    /** Undefined: generated. */
    superAdminPassword: data.SUPER_ADMIN_PASSWORD,
    /** Parent domain of the tenants' sites. */
    platformDomain: data.PLATFORM_DOMAIN,
    defaultAllowedOrigin: data.DEFAULT_ALLOWED_ORIGIN ?? `https://api.${data.PLATFORM_DOMAIN}`,
    brandName: data.BRAND_NAME,
    /** Secret that admin-api signs with, then further secrets that ai-api accepts. Undefined: generated and stored. */
    webhookSecrets: data.WEBHOOK_SECRET,
    /** Keys of stored secrets. */
    secretKeys: { current: data.SECRETS_KEY ?? null, old: data.SECRETS_KEY_OLD },
    /** Origin of ai-api for admin-api. Undefined: on this machine. */
    aiApiUrl: data.AI_API_URL,
    /** Whether the text of reviews is stored; otherwise reviews are only counted. */
    areReviewsKept: data.REVIEW_STORAGE === 'on',
    /** Undefined: `sampleMaps`, or no maps at all. */
    googleMapsApiKey: data.GOOGLE_MAPS_API_KEY,
    /** Origin of Google Places API (New). */
    googlePlacesUrl: data.GOOGLE_PLACES_URL ?? 'https://places.googleapis.com',
    /** Origin of the photos of reviewers. */
    googlePhotosUrl: data.GOOGLE_PHOTOS_URL ?? 'https://lh3.googleusercontent.com',
    /** Whether the maps emulator replaces Google: without a key and with the embedded database. */
    sampleMaps: data.GOOGLE_MAPS_API_KEY === undefined && data.DATABASE_URL === undefined,
    /** HTTP proxies for calls to the outside. */
    outboundProxies: outboundProxies(data),
    /** Proxies whose `X-Forwarded-*` headers are trusted: `false`, or addresses and networks. */
    trustProxy: data.TRUST_PROXY,
    /** How long a start retries each of its steps. */
    startSeconds: data.START_SECONDS,
    /** Time between SIGTERM and the stop, for load balancers to notice, in seconds. */
    // With an embedded database, no other server could take the requests.
    drainSeconds: data.DRAIN_SECONDS ?? (data.DATABASE_URL === undefined ? 0 : 5),
    logLevel: data.LOG_LEVEL,
    /** Null: no traces are recorded. */
    tracing: tracingOf(env),
    /** Single sign-on; `null`: none. */
    oidc: oidcOf(data),
    /** Whether every account may sign in with a password, and not only break-glass accounts. */
    isPasswordSignInOn: data.PASSWORD_SIGN_IN === 'on',
    /** Sentences for the log about variables that were ignored. */
    warnings,
  }
}

/** The settings of this process, for people: of a secret only where it comes from. */
export function shownSettings(all = process.env): SystemSetting[] {
  const env = withProxyVariables(ownVariables(all).env)
  const defaults: Record<string, unknown> = variables.parse({})
  return Object.keys(variables.shape).map((name) => {
    const isProxy = PROXIES_WITH_CREDENTIALS.has(name)
    const isSecret = SECRET.has(name) && !isProxy
    const [set, file, byDefault] = [env[name] ?? '', env[`${name}_FILE`] ?? '', defaults[name]]
    const source = set !== '' ? 'environment' : SECRET.has(name) && file !== '' ? 'file' : 'default'
    const isText = typeof byDefault === 'string' || typeof byDefault === 'number'
    const value = set !== '' ? (isProxy ? withoutCredentials(set) : set) : isText ? String(byDefault) : null
    return { name, value: isSecret ? null : value, is_secret: isSecret, source }
  })
}

/** Each message continues the name of the variable: "PORT must be …". */
const variables = z.object({
  PORT: port(3000),
  AI_PORT: port(3001),
  HOST: setting(/^\S{1,253}$/, 'a host name or an address').default('127.0.0.1'),
  OPS_HOST: setting(/^\S{1,253}$/, 'a host name or an address').default('127.0.0.1'),
  OPS_PORT: port(3002),
  AI_OPS_PORT: port(3003),
  WORKER_OPS_PORT: port(3004),
  PUBLIC_URL: z.string().refine(isOrigin, 'must be an origin, such as https://console.example.com').optional(),
  SECURITY_CONTACT: setting(/^(mailto:[^\s@]+@[^\s@]+|https:\/\/\S+)$/, 'a mailto: or https: address').optional(),
  SMTP_URL: smtpUrl.optional(),
  MAIL_FROM: z.string().refine(isSender, 'must be a sender, such as Switchboard <console@example.com>').optional(),
  DATABASE_URL: databaseUrl.optional(),
  DATABASE_DIRECT_URL: databaseUrl.optional(),
  DATABASE_POOL: z
    .string()
    .regex(/^[1-9]\d{0,2}$/, 'must be a whole number from 1 to 999')
    .transform(Number)
    .default(10),
  DATA_DIR: setting(/^[^\0]+$/, 'a folder').default('.data'),
  BACKUP_DIR: setting(/^[^\0]+$/, 'a folder').optional(),
  AUDIT_RETENTION: months.optional(),
  AUDIT_ARCHIVE: setting(/^[^\0]+$/, 'a folder').optional(),
  SUPER_ADMIN_EMAIL: z
    .string()
    .default('admin@switchboard.local')
    .refine((text) => email.safeParse(text).success, 'must be an email address'),
  SUPER_ADMIN_PASSWORD: z
    .string()
    .refine(isPassword, `must have ${CONSOLE_PASSWORD_MIN} to ${PASSWORD_MAX} characters`)
    .optional(),
  PLATFORM_DOMAIN: setting(
    /^(?=.{1,190}$)[a-z0-9-]+(\.[a-z0-9-]+)*(:\d+)?$/,
    'a domain in lower case, such as example.com',
  ).default('switchboard.example'),
  DEFAULT_ALLOWED_ORIGIN: z
    .string()
    .refine(isAllowable, 'must be an https origin, such as https://api.example.com')
    .optional(),
  BRAND_NAME: setting(/^\S.{0,58}\S$|^\S$/, 'a name of at most 60 characters').default('Switchboard'),
  WEBHOOK_SECRET: signingSecrets.optional(),
  SECRETS_KEY: secretKey.optional(),
  SECRETS_KEY_OLD: secretKeys.default([]),
  AI_API_URL: z.string().refine(isOrigin, 'must be an origin, such as http://ai-api.internal:3001').optional(),
  REVIEW_STORAGE: z.enum(['on', 'off'], 'must be on or off').default('on'),
  GOOGLE_MAPS_API_KEY: setting(/^[\x21-\x7e]{1,200}$/, 'a key of at most 200 characters without spaces').optional(),
  GOOGLE_PLACES_URL: secureOrigin('https://places.googleapis.com').optional(),
  GOOGLE_PHOTOS_URL: secureOrigin('https://lh3.googleusercontent.com').optional(),
  HTTPS_PROXY: z.string().refine(isProxyUrl, 'must be like http://user:password@proxy.example.com:3128').optional(),
  HTTP_PROXY: z.string().refine(isProxyUrl, 'must be like http://user:password@proxy.example.com:3128').optional(),
  NO_PROXY: setting(
    /^[\x20-\x7e]{1,4000}$/,
    'a list of host names and addresses, such as .internal,10.0.0.5',
  ).optional(),
  TRUST_PROXY: z
    .string()
    .transform((text) => text.split(',').map((part) => part.trim()))
    .refine((parts) => parts.every(isNetwork), 'must list addresses or networks, such as 10.0.0.0/8,192.168.1.2')
    .or(z.literal(false))
    .default(false),
  START_SECONDS: z
    .string()
    .regex(/^(\d{1,3}|[12]\d{3}|3[0-5]\d\d|3600)$/, 'must be a whole number from 0 to 3600')
    .transform(Number)
    .default(START_MS / 1_000),
  DRAIN_SECONDS: z
    .string()
    .regex(/^([1-2]?\d{1,2}|300)$/, 'must be a whole number from 0 to 300')
    .transform(Number)
    .optional(),
  LOG_LEVEL: z
    .enum(
      ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
      'must be fatal, error, warn, info, debug, trace or silent',
    )
    .default('info'),
  OIDC_ISSUER: z
    .string()
    .refine(isIssuer, 'must be an https address without a query, such as https://id.example.com/realms/staff')
    .optional(),
  OIDC_CLIENT_ID: setting(/^[\x21-\x7e]{1,200}$/, 'an id of at most 200 characters without spaces').optional(),
  OIDC_CLIENT_SECRET: setting(/^[\x21-\x7e]{1,500}$/, 'a secret of at most 500 characters without spaces').optional(),
  OIDC_ROLES: oidcRoles.optional(),
  PASSWORD_SIGN_IN: z.enum(['on', 'off'], 'must be on or off').default('on'),
})

/** Shown without user and password. */
const PROXIES_WITH_CREDENTIALS: ReadonlySet<string> = new Set(PROXY_VARIABLES.filter((name) => name !== 'NO_PROXY'))

/** Values never printed to the terminal. */
export const SECRET = new Set([
  'DATABASE_URL',
  'DATABASE_DIRECT_URL',
  'SUPER_ADMIN_PASSWORD',
  'GOOGLE_MAPS_API_KEY',
  'WEBHOOK_SECRET',
  'SECRETS_KEY',
  'SECRETS_KEY_OLD',
  'OIDC_CLIENT_SECRET',
  'SMTP_URL',
  ...PROXIES_WITH_CREDENTIALS,
])

/** The variables that were set for this process, without those that Kubernetes and container links add. */
function ownVariables(env: NodeJS.ProcessEnv) {
  return withoutServiceLinks(env, Object.keys(variables.shape))
}

function refuseUnknown(env: NodeJS.ProcessEnv): void {
  const unknown = Object.keys(env).find((name) => name.startsWith('SWITCHBOARD_'))
  if (unknown === undefined) return
  const meant = unknown.replace('SWITCHBOARD_', '')
  const names = Object.keys(variables.shape)
  throw new StartError(
    `${unknown} is not a setting. ${names.includes(meant) ? `Set ${meant}.` : `Settings are ${names.join(', ')}.`}`,
  )
}

const PORTS = ['PORT', 'AI_PORT', 'OPS_PORT', 'AI_OPS_PORT', 'WORKER_OPS_PORT'] as const

function refuseSamePorts(data: Record<(typeof PORTS)[number], number>): void {
  for (const [at, name] of PORTS.entries()) {
    const same = PORTS.slice(0, at).find((other) => data[other] === data[name] && data[name] !== 0)
    if (same !== undefined) throw new StartError(`${same} and ${name} must differ, but both are ${data[name]}.`)
  }
}

function sentence(error: z.ZodError, env: NodeJS.ProcessEnv): string {
  const [issue] = error.issues
  const name = String(issue?.path[0])
  const [value, isSecret] = [env[name] ?? '', SECRET.has(name)]
  // Any address may have a password, even a setting that does not allow one.
  const shown = isSecret ? '' : `, not ${JSON.stringify(withoutUser(value))}`
  return `${name} ${issue?.message}${shown}.${likelyCause(value, isSecret)}`
}

/** A value with everything between the first `//` and the last `@` replaced by `…`. */
function withoutUser(value: string): string {
  const [start, end] = [value.indexOf('//'), value.lastIndexOf('@')]
  return start === -1 || end < start ? value : `${value.slice(0, start)}//…${value.slice(end)}`
}

function setting(pattern: RegExp, rule: string) {
  return z.string().regex(pattern, `must be ${rule}`)
}

/** 0 is for tests: the system chooses the port. */
function port(defaultPort: number) {
  const rule = 'must be a whole number from 1 to 65535'
  return z
    .string()
    .regex(/^\d{1,5}$/, rule)
    .transform(Number)
    .refine((number) => number <= 65_535, rule)
    .default(defaultPort)
}

function isPassword(text: string): boolean {
  const length = [...text].length
  return length >= CONSOLE_PASSWORD_MIN && text.length <= PASSWORD_MAX
}

/** An allowed origin in its normalized form. */
function isAllowable(text: string): boolean {
  return parseAllowedOrigin(text).origin === text
}

function isNetwork(part: string): boolean {
  const [address = '', bits, ...rest] = part.split('/')
  const version = isIP(address)
  const most = version === 4 ? 32 : 128
  return version !== 0 && rest.length === 0 && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= most))
}
