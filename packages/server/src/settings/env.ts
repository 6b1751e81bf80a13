import path from 'node:path'
import type { SystemSetting } from '@switchboard/contract/system'
import { StartError } from '@switchboard/database/start/start-error'
import type { z } from 'zod'
import { likelyCause } from './likely-cause.ts'
import { mailSettings } from './mail-settings.ts'
import { oidcOf } from './oidc.ts'
import { outboundProxies, withoutCredentials, withProxyVariables } from './outbound-proxies.ts'
import { passedSockets } from './passed-sockets.ts'
import { withSecretFiles } from './secret-files.ts'
import { withoutServiceLinks } from './service-links.ts'
import { tracingOf } from './tracing.ts'
import { PROXIES_WITH_CREDENTIALS, SECRET, variables } from './variables.ts'

export type Settings = ReturnType<typeof parseSettings>

/** The settings of this process. Throws a StartError that names the variable and its rule. */
export function readSettings(): Settings {
  return parseSettings(process.env)
}

/** Like `readSettings`, but from any environment. An empty variable counts as unset; `variables.ts` explains each. */
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
    port: data.PORT,
    aiPort: data.AI_PORT,
    host: data.HOST,
    /** Sockets that the supervisor listens on for this process, by the variable of their port. */
    sockets: passedSockets(env, process.pid),
    opsHost: data.OPS_HOST,
    opsPort: data.OPS_PORT,
    aiOpsPort: data.AI_OPS_PORT,
    workerOpsPort: data.WORKER_OPS_PORT,
    /** Public origin of the console. Undefined: any host is served. */
    publicUrl: data.PUBLIC_URL,
    /** Null: the servers send no mail. */
    mail: mailSettings(data, outboundProxies(data)),
    securityContact: data.SECURITY_CONTACT ?? `mailto:security@${data.PLATFORM_DOMAIN.replace(/:\d+$/, '')}`,
    /** Undefined: the embedded PostgreSQL. */
    databaseUrl: data.DATABASE_URL,
    databaseDirectUrl: data.DATABASE_DIRECT_URL,
    databasePool: data.DATABASE_POOL,
    dataDir: data.DATA_DIR,
    /** Folder of the backups that the servers make by themselves, and of `npm run backup` without a name. */
    backupDir: data.BACKUP_DIR ?? path.join(data.DATA_DIR, 'backups'),
    /** Folder of the files of a log sink. */
    auditFiles: data.AUDIT_FILES,
    /** How many months rows stay in the audit log. Null: all of them. */
    auditRetention: data.AUDIT_RETENTION ?? null,
    superAdminEmail: data.SUPER_ADMIN_EMAIL,
    /** Undefined: generated. */
    superAdminPassword: data.SUPER_ADMIN_PASSWORD,
    platformDomain: data.PLATFORM_DOMAIN,
    /** Address of the portal of a tenant, with `{subdomain}` for the subdomain. */
    portalUrl: data.PORTAL_URL ?? `https://{subdomain}.${data.PLATFORM_DOMAIN}`,
    defaultAllowedOrigin: data.DEFAULT_ALLOWED_ORIGIN ?? `https://api.${data.PLATFORM_DOMAIN}`,
    brandName: data.BRAND_NAME,
    /** Secret that admin-api signs with, then further secrets that ai-api accepts. Undefined: generated and stored. */
    webhookSecrets: data.WEBHOOK_SECRET,
    secretKeys: { current: data.SECRETS_KEY ?? null, old: data.SECRETS_KEY_OLD },
    /** Origin of ai-api for admin-api. Undefined: on this machine. */
    aiApiUrl: data.AI_API_URL,
    /** How long clients may use a prompt without asking again, in seconds. */
    promptMaxAge: data.PROMPT_MAX_AGE,
    areReviewsKept: data.REVIEW_STORAGE === 'on',
    /** Undefined: `sampleMaps`, or no maps at all. */
    googleMapsApiKey: data.GOOGLE_MAPS_API_KEY,
    googlePlacesUrl: data.GOOGLE_PLACES_URL ?? 'https://places.googleapis.com',
    googlePhotosUrl: data.GOOGLE_PHOTOS_URL ?? 'https://lh3.googleusercontent.com',
    /** Whether the maps emulator replaces Google: without a key and with the embedded database. */
    sampleMaps: data.GOOGLE_MAPS_API_KEY === undefined && data.DATABASE_URL === undefined,
    /** Reports of leaked keys. Null: none are taken. */
    keyReports:
      data.KEY_REPORTS_URL === undefined
        ? null
        : { publicKeysUrl: data.KEY_REPORTS_URL, deactivates: data.KEY_REPORT_ACTION === 'deactivate' },
    outboundProxies: outboundProxies(data),
    /** Networks in CIDR notation that webhooks may call besides public addresses. */
    webhookNetworks: data.WEBHOOK_NETWORKS,
    /** Proxies whose `X-Forwarded-*` headers are trusted: `false`, or addresses and networks. */
    trustProxy: data.TRUST_PROXY,
    startSeconds: data.START_SECONDS,
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
