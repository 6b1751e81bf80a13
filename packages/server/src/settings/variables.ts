import { isIP } from 'node:net'
import { parseAllowedOrigin } from '@switchboard/contract/api-keys/allowed-origins'
import { CONSOLE_PASSWORD_MIN, email, PASSWORD_MAX } from '@switchboard/contract/auth/current-admin'
import { START_MS } from '@switchboard/database/start/until-started'
import { z } from 'zod'
import { cidrOf } from '#src/outbound/networks.ts'
import { databaseUrl } from './database-urls.ts'
import { isSender, smtpUrl } from './mail-settings.ts'
import { isIssuer, oidcRoles } from './oidc.ts'
import { isOrigin, isSecureUrl, secureOrigin } from './origins.ts'
import { isProxyUrl, PROXY_VARIABLES } from './outbound-proxies.ts'
import { secretKey, secretKeys, signingSecrets } from './secret-keys.ts'

/**
 * Every setting. A message continues the name of the variable: "PORT must be …". `npm run docs` writes the descriptions
 * to docs/operate/settings.md, with `fallback` for a default that other settings decide.
 */
export const variables = z.object({
  PORT: port(3000).describe('The port of the console and the admin API.'),
  AI_PORT: port(3001).describe('The port of the AI API.'),
  HOST: setting(/^\S{1,253}$/, 'a host name or an address')
    .default('127.0.0.1')
    .describe('The address on which the servers listen.'),
  OPS_HOST: setting(/^\S{1,253}$/, 'a host name or an address')
    .default('127.0.0.1')
    .describe('The address of the next three ports, which need no token: keep them in an internal network.'),
  OPS_PORT: port(3002).describe('`/metrics` of admin-api (docs/operate/metrics.md).'),
  AI_OPS_PORT: port(3003).describe('`/metrics` of ai-api.'),
  WORKER_OPS_PORT: port(3004).describe('`/metrics`, `/healthz` and `/readyz` of the worker.'),
  PUBLIC_URL: z
    .string()
    .refine(isOrigin, 'must be an origin, such as https://console.example.com')
    .optional()
    .describe(
      'The origin of the console, such as `https://console.example.com`. Requests for another host are refused, passkeys belong to its host name, and the links in mails begin with it.',
    ),
  SECURITY_CONTACT: setting(/^(mailto:[^\s@]+@[^\s@]+|https:\/\/\S+)$/, 'a mailto: or https: address')
    .optional()
    .meta({
      description: 'Where to report security problems, for `/.well-known/security.txt`.',
      fallback: '`mailto:security@{PLATFORM_DOMAIN}`',
    }),
  SMTP_URL: smtpUrl
    .optional()
    .describe(
      'The mail server, such as `smtps://user:password@mail.example.com`. It needs `MAIL_FROM` and `PUBLIC_URL` (docs/operate/mail.md).',
    ),
  MAIL_FROM: z
    .string()
    .refine(isSender, 'must be a sender, such as Switchboard <console@example.com>')
    .optional()
    .describe('The sender of the mails, such as `Switchboard <console@example.com>`.'),
  DATABASE_URL: databaseUrl
    .optional()
    .describe(
      'A PostgreSQL from version 15 on, with one host or several (docs/operate/database.md). Without it, an embedded PostgreSQL is used.',
    ),
  DATABASE_DIRECT_URL: databaseUrl.optional().meta({
    description: 'The same database without the pooler, when `DATABASE_URL` leads through a transaction pooler.',
    fallback: '`{DATABASE_URL}`',
  }),
  DATABASE_POOL: z
    .string()
    .regex(/^[1-9]\d{0,2}$/, 'must be a whole number from 1 to 999')
    .transform(Number)
    .default(10)
    .describe('The maximum number of connections of a process for statements and transactions.'),
  DATA_DIR: setting(/^[^\0]+$/, 'a folder')
    .default('.data')
    .describe('The folder of the embedded PostgreSQL, which other users cannot read.'),
  BACKUP_DIR: setting(/^[^\0]+$/, 'a folder')
    .optional()
    .meta({
      description:
        'The folder of the nightly backups of the embedded PostgreSQL, and of `npm run backup` without a name (docs/operate/backup.md).',
      fallback: '`{DATA_DIR}/backups`',
    }),
  AUDIT_RETENTION: z
    .string()
    .regex(/^[1-9]\d{0,2}$/, 'must be a number of months from 1 to 999')
    .transform(Number)
    .optional()
    .describe(
      'The months after which the worker deletes rows of the audit log that every log sink has, such as `24`. Without it, all rows stay (docs/operate/log-shipping.md#deletion).',
    ),
  AUDIT_FILES: setting(/^[^\0]+$/, 'a folder')
    .optional()
    .describe(
      'The folder of the daily files of a log sink, for the worker, `npm run audit:verify`, `doctor` and `restore` (docs/operate/log-shipping.md#files).',
    ),
  SUPER_ADMIN_EMAIL: z
    .string()
    .default('admin@switchboard.local')
    .refine((text) => email.safeParse(text).success, 'must be an email address')
    .describe('The email address of the first super admin.'),
  SUPER_ADMIN_PASSWORD: z
    .string()
    .refine(isPassword, `must have ${CONSOLE_PASSWORD_MIN} to ${PASSWORD_MAX} characters`)
    .optional()
    .meta({
      description:
        'The password of the first super admin. An easily guessed one stops the start. Unset it after the first start. A generated password is printed once: reset it if a log keeps it.',
      fallback: 'generated',
    }),
  PLATFORM_DOMAIN: setting(
    /^(?=.{1,190}$)[a-z0-9-]+(\.[a-z0-9-]+)*(:\d+)?$/,
    'a domain in lower case, such as example.com',
  )
    .default('switchboard.example')
    .describe('The domain of the tenants, who have their sites at `https://{subdomain}.{domain}`.'),
  PORTAL_URL: z
    .string()
    .refine(isPortalUrl, 'must be an https address, such as https://{subdomain}.example.com')
    .optional()
    .meta({
      description:
        'Where the portal of a tenant is; `{subdomain}` stands for the subdomain. The invitation of a user leads to its page `/invitation` (docs/onboarding.md).',
      fallback: '`https://{subdomain}.{PLATFORM_DOMAIN}`',
    }),
  DEFAULT_ALLOWED_ORIGIN: z
    .string()
    .refine(isAllowable, 'must be an https origin, such as https://api.example.com')
    .optional()
    .meta({
      description: 'The allowed origin that the form of a new API key proposes.',
      fallback: '`https://api.{PLATFORM_DOMAIN}`',
    }),
  BRAND_NAME: setting(/^\S.{0,58}\S$|^\S$/, 'a name of at most 60 characters')
    .default('Switchboard')
    .describe('The name on the sign-in page and in the sidebar.'),
  WEBHOOK_SECRET: signingSecrets.optional().meta({
    description:
      'Signs the calls from admin-api to ai-api and is never sent. With `DATABASE_URL` it is required, and all servers have the same. To change it, set `new,old`, and later `new`.',
    fallback: 'generated',
  }),
  SECRETS_KEY: secretKey
    .optional()
    .describe(
      '32 bytes in base64, which encrypt the secrets of authenticator apps, webhooks and log sinks, and sign backups (docs/operate/secrets.md).',
    ),
  SECRETS_KEY_OLD: secretKeys.default([]).describe('Further keys, separated by commas, which only decrypt and verify.'),
  AI_API_URL: z.string().refine(isOrigin, 'must be an origin, such as http://ai-api.internal:3001').optional().meta({
    description:
      'The address of ai-api, or of its balancer, for admin-api. Over plain `http`, results of runs are readable in transit.',
    fallback: '`http://127.0.0.1:{AI_PORT}`',
  }),
  PROMPT_MAX_AGE: z
    .string()
    .regex(/^(\d{1,4}|[1-7]\d{4}|8[0-5]\d{3}|86[0-3]\d{2}|86400)$/, 'must be a whole number of seconds from 0 to 86400')
    .transform(Number)
    .default(0)
    .describe(
      'How many seconds clients may use a rendered prompt without asking again, and as many more while they ask (docs/prompts.md). With `0` they ask each time, and a saved text is used at once.',
    ),
  REVIEW_STORAGE: z
    .enum(['on', 'off'], 'must be on or off')
    .default('on')
    .describe('With `off`, reviews are counted but not stored (docs/google.md).'),
  GOOGLE_MAPS_API_KEY: setting(/^[\x21-\x7e]{1,200}$/, 'a key of at most 200 characters without spaces')
    .optional()
    .describe(
      'A key for Google Places API (New). Without it an emulator answers, or with `DATABASE_URL` look-ups fail (docs/google.md).',
    ),
  GOOGLE_PLACES_URL: secureOrigin('https://places.googleapis.com').optional().meta({
    description: 'The address of Google Places, for example of a proxy. It needs `GOOGLE_MAPS_API_KEY`.',
    fallback: '`https://places.googleapis.com`',
  }),
  GOOGLE_PHOTOS_URL: secureOrigin('https://lh3.googleusercontent.com').optional().meta({
    description: 'The address of the photos of the authors of reviews. It needs `GOOGLE_MAPS_API_KEY`.',
    fallback: '`https://lh3.googleusercontent.com`',
  }),
  KEY_REPORTS_URL: z
    .string()
    .refine(isSecureUrl, 'must be an https address, such as https://api.github.com/meta/public_keys/secret_scanning')
    .optional()
    .describe(
      'The address of the public keys of a secret scanning service, whose reports of leaked API keys ai-api then takes (docs/leaked-keys.md).',
    ),
  KEY_REPORT_ACTION: z
    .enum(['notify', 'deactivate'], 'must be notify or deactivate')
    .default('notify')
    .describe(
      'What a report does to the key: `notify` shows it in the console, `deactivate` deactivates the key as well.',
    ),
  HTTPS_PROXY: z
    .string()
    .refine(isProxyUrl, 'must be like http://user:password@proxy.example.com:3128')
    .optional()
    .describe(
      'The HTTP proxy for calls to Google, the identity provider, the mail server, webhooks and collectors. Lowercase names work too (docs/operate/tls.md#a-proxy-to-the-outside).',
    ),
  HTTP_PROXY: z
    .string()
    .refine(isProxyUrl, 'must be like http://user:password@proxy.example.com:3128')
    .optional()
    .describe('The same for plain `http`, and for all calls without `HTTPS_PROXY`.'),
  NO_PROXY: setting(/^[\x20-\x7e]{1,4000}$/, 'a list of host names and addresses, such as .internal,10.0.0.5')
    .optional()
    .describe('Hosts that are called without the proxy, separated by commas. This machine is always called directly.'),
  WEBHOOK_NETWORKS: z
    .string()
    .transform((text) => text.split(',').map((part) => part.trim()))
    .refine((parts) => parts.every(isNetwork), 'must list addresses or networks, such as 10.0.0.0/8,192.168.1.2')
    .transform((parts) => parts.map(cidrOf))
    .default([])
    .describe(
      'Addresses or networks that webhooks may call besides public addresses, also with plain http (docs/webhooks.md#networks).',
    ),
  TRUST_PROXY: z
    .string()
    .transform((text) => text.split(',').map((part) => part.trim()))
    .refine((parts) => parts.every(isNetwork), 'must list addresses or networks, such as 10.0.0.0/8,192.168.1.2')
    .or(z.literal(false))
    .default(false)
    .describe(
      'The addresses or networks whose `X-Forwarded-*` and `X-Request-Id` headers are trusted. Without it, all visitors behind a proxy share one address and its limit of failed sign-ins (docs/operate/tls.md).',
    ),
  START_SECONDS: z
    .string()
    .regex(/^(\d{1,3}|[12]\d{3}|3[0-5]\d\d|3600)$/, 'must be a whole number from 0 to 3600')
    .transform(Number)
    .default(START_MS / 1_000)
    .describe(
      'How long a start retries while the database does not answer, is busy or read-only, or a port is taken. A wrong password or missing rights stop the start at once.',
    ),
  DRAIN_SECONDS: z
    .string()
    .regex(/^([1-2]?\d{1,2}|300)$/, 'must be a whole number from 0 to 300')
    .transform(Number)
    .optional()
    .meta({
      description:
        'How long a server still serves after SIGTERM while `/readyz` answers 503, so that balancers choose another server.',
      fallback: '`5` with `DATABASE_URL`, otherwise `0`',
    }),
  LOG_LEVEL: z
    .enum(
      ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
      'must be fatal, error, warn, info, debug, trace or silent',
    )
    .default('info')
    .describe('`fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`.'),
  OIDC_ISSUER: z
    .string()
    .refine(isIssuer, 'must be an https address without a query, such as https://id.example.com/realms/staff')
    .optional()
    .describe(
      'The address of the identity provider, exactly as its metadata names it. It needs the next three settings and `PUBLIC_URL` (docs/single-sign-on.md).',
    ),
  OIDC_CLIENT_ID: setting(/^[\x21-\x7e]{1,200}$/, 'an id of at most 200 characters without spaces')
    .optional()
    .describe('The client that you register at the identity provider.'),
  OIDC_CLIENT_SECRET: setting(/^[\x21-\x7e]{1,500}$/, 'a secret of at most 500 characters without spaces')
    .optional()
    .describe('The secret of this client.'),
  OIDC_ROLES: oidcRoles
    .optional()
    .describe(
      'The claim that decides the role, and the role of each of its values, such as `groups: admins=super_admin, helpers=support`.',
    ),
  PASSWORD_SIGN_IN: z
    .enum(['on', 'off'], 'must be on or off')
    .default('on')
    .describe('With `off`, only break-glass accounts sign in with a password. `npm run admin` creates them.'),
})

/** Shown without user and password. */
export const PROXIES_WITH_CREDENTIALS: ReadonlySet<string> = new Set(
  PROXY_VARIABLES.filter((name) => name !== 'NO_PROXY'),
)

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

/** An https address without query and fragment, because a path and the token follow. */
function isPortalUrl(text: string): boolean {
  return isSecureUrl(text.replace('{subdomain}', 'subdomain')) && !/[?#]|\/$/.test(text)
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
