import { StartError } from '@switchboard/database/start/start-error'
import { expect, test } from 'vitest'
import { parseSettings } from './env.ts'

const OIDC = {
  OIDC_ISSUER: 'https://id.example.com/realms/staff',
  OIDC_CLIENT_ID: 'console',
  OIDC_CLIENT_SECRET: 'secret',
  OIDC_ROLES: 'groups: admins=super_admin',
  PUBLIC_URL: 'https://console.example.com',
}
const OIDC_SETTINGS = {
  issuer: 'https://id.example.com/realms/staff',
  clientId: 'console',
  clientSecret: 'secret',
  roles: { claim: 'groups', roles: new Map([['admins', 'super_admin']]) },
  publicUrl: 'https://console.example.com',
}

test('an empty environment gives the defaults', () => {
  expect(parseSettings({})).toEqual({
    startSeconds: 120,
    port: 3000,
    aiPort: 3001,
    host: '127.0.0.1',
    sockets: new Map(),
    opsHost: '127.0.0.1',
    opsPort: 3002,
    aiOpsPort: 3003,
    workerOpsPort: 3004,
    publicUrl: undefined,
    mail: null,
    securityContact: 'mailto:security@switchboard.example',
    databaseUrl: undefined,
    databaseDirectUrl: undefined,
    databasePool: 10,
    dataDir: '.data',
    backupDir: '.data/backups',
    auditFiles: undefined,
    auditRetention: null,
    superAdminEmail: 'admin@switchboard.local',
    superAdminPassword: undefined,
    platformDomain: 'switchboard.example',
    portalUrl: 'https://{subdomain}.switchboard.example',
    defaultAllowedOrigin: 'https://api.switchboard.example',
    brandName: 'Switchboard',
    webhookSecrets: undefined,
    secretKeys: { current: null, old: [] },
    aiApiUrl: undefined,
    areReviewsKept: true,
    googleMapsApiKey: undefined,
    googlePlacesUrl: 'https://places.googleapis.com',
    googlePhotosUrl: 'https://lh3.googleusercontent.com',
    sampleMaps: true,
    promptMaxAge: 0,
    keyReports: null,
    outboundProxies: { httpProxy: '', httpsProxy: '', noProxy: 'localhost,127.0.0.1,::1' },
    webhookNetworks: [],
    trustProxy: false,
    drainSeconds: 0,
    logLevel: 'info',
    tracing: null,
    oidc: null,
    isPasswordSignInOn: true,
    warnings: [],
  })
})

test('an empty variable counts as unset', () => {
  expect(parseSettings({ PORT: '', DATABASE_URL: '', DEFAULT_ALLOWED_ORIGIN: '', TRUST_PROXY: '' })).toEqual(
    parseSettings({}),
  )
})

test.each([
  [
    { PORT: '0', AI_PORT: '0' },
    { port: 0, aiPort: 0 },
  ],
  [{ PORT: '65535' }, { port: 65_535 }],
  [{ HOST: '::1' }, { host: '::1' }],
  [
    { DATABASE_URL: 'postgres://u:p@h:5432/d' },
    { databaseUrl: 'postgres://u:p@h:5432/d', sampleMaps: false, drainSeconds: 5 },
  ],
  [{ DRAIN_SECONDS: '0', DATABASE_URL: 'postgres://u:p@h:5432/d' }, { drainSeconds: 0 }],
  [{ DRAIN_SECONDS: '300' }, { drainSeconds: 300 }],
  [{ START_SECONDS: '0' }, { startSeconds: 0 }],
  [{ START_SECONDS: '3600' }, { startSeconds: 3_600 }],
  [{ DATABASE_URL: 'postgresql:///d?host=/run/postgresql' }, { databaseUrl: 'postgresql:///d?host=/run/postgresql' }],
  [
    { DATABASE_URL: 'postgres://pooler/d', DATABASE_DIRECT_URL: 'postgres://h1:1,h2:2/d', DATABASE_POOL: '40' },
    { databaseUrl: 'postgres://pooler/d', databaseDirectUrl: 'postgres://h1:1,h2:2/d', databasePool: 40 },
  ],
  [
    { AUDIT_RETENTION: '24', AUDIT_FILES: '/srv/audit' },
    { auditRetention: 24, auditFiles: '/srv/audit' },
  ],
  [{ SUPER_ADMIN_PASSWORD: '123456789012' }, { superAdminPassword: '123456789012' }],
  [
    { PLATFORM_DOMAIN: 'example.com' },
    {
      platformDomain: 'example.com',
      portalUrl: 'https://{subdomain}.example.com',
      defaultAllowedOrigin: 'https://api.example.com',
    },
  ],
  [{ PORTAL_URL: 'https://portals.example.com/{subdomain}' }, { portalUrl: 'https://portals.example.com/{subdomain}' }],
  [{ DEFAULT_ALLOWED_ORIGIN: 'http://localhost:5173' }, { defaultAllowedOrigin: 'http://localhost:5173' }],
  [{ BRAND_NAME: 'A & B' }, { brandName: 'A & B' }],
  [{ WEBHOOK_SECRET: 'a'.repeat(32) }, { webhookSecrets: ['a'.repeat(32)] }],
  [
    { WEBHOOK_SECRET: `${'new'.repeat(12)},${'old'.repeat(12)}` },
    { webhookSecrets: ['new'.repeat(12), 'old'.repeat(12)] },
  ],
  [{ AI_API_URL: 'http://ai-api:3001' }, { aiApiUrl: 'http://ai-api:3001' }],
  [{ REVIEW_STORAGE: 'off' }, { areReviewsKept: false }],
  [{ GOOGLE_MAPS_API_KEY: 'AIza-x_1' }, { googleMapsApiKey: 'AIza-x_1', sampleMaps: false }],
  [
    { GOOGLE_MAPS_API_KEY: 'k', GOOGLE_PLACES_URL: 'http://127.0.0.1:4000' },
    { googlePlacesUrl: 'http://127.0.0.1:4000' },
  ],
  [
    { GOOGLE_MAPS_API_KEY: 'k', GOOGLE_PHOTOS_URL: 'https://photos.example' },
    { googlePhotosUrl: 'https://photos.example', googlePlacesUrl: 'https://places.googleapis.com' },
  ],
  [{ TRUST_PROXY: '10.0.0.0/8, ::1' }, { trustProxy: ['10.0.0.0/8', '::1'] }],
  [{ LOG_LEVEL: 'warn' }, { logLevel: 'warn' }],
  [OIDC, { oidc: OIDC_SETTINGS, isPasswordSignInOn: true }],
  [
    { ...OIDC, PASSWORD_SIGN_IN: 'off' },
    { oidc: OIDC_SETTINGS, isPasswordSignInOn: false },
  ],
  [
    { ...OIDC, OIDC_ISSUER: 'http://127.0.0.1:9000', PUBLIC_URL: 'http://localhost:3000' },
    { oidc: { issuer: 'http://127.0.0.1:9000', publicUrl: 'http://localhost:3000' } },
  ],
  [
    { SMTP_URL: 'smtps://u:p@mail.example.com', MAIL_FROM: 'a@example.com', PUBLIC_URL: 'https://c.example.com' },
    {
      mail: {
        smtpUrl: 'smtps://u:p@mail.example.com',
        from: { address: 'a@example.com' },
        consoleUrl: 'https://c.example.com',
      },
    },
  ],
  [
    { SMTP_URL: 'smtp://[::1]:25', MAIL_FROM: '"A, B" <a@example.com>', PUBLIC_URL: 'https://c.example.com' },
    { mail: { from: { name: 'A, B', address: 'a@example.com' } } },
  ],
  [
    { SMTP_URL: 'smtp://[::1]:25', MAIL_FROM: 'Bücher <c@bücher.example>', PUBLIC_URL: 'https://c.example.com' },
    { mail: { from: { name: 'Bücher', address: 'c@bücher.example' } } },
  ],
  [{ SUPER_ADMIN_EMAIL: 'root@bücher.example' }, { superAdminEmail: 'root@bücher.example' }],
  [{ SUPER_ADMIN_EMAIL: 'root@localhost' }, { superAdminEmail: 'root@localhost' }],
])('%o is taken', (env, expected) => {
  expect(parseSettings(env)).toMatchObject(expected)
})

const portRule = 'must be a whole number from 1 to 65535'
test.each([
  [{ PORT: 'abc' }, `PORT ${portRule}, not "abc".`],
  [{ PORT: '65536' }, `PORT ${portRule}, not "65536".`],
  [{ PORT: '-1' }, `PORT ${portRule}, not "-1".`],
  [{ AI_PORT: '3.5' }, `AI_PORT ${portRule}, not "3.5".`],
  [{ AI_PORT: '3000' }, 'PORT and AI_PORT must differ, but both are 3000.'],
  [{ HOST: 'a b' }, 'HOST must be a host name or an address, not "a b".'],
  [
    { DATABASE_URL: 'mysql://root:secret@h/d' },
    'DATABASE_URL must be like postgresql://user:password@host:5432/database.',
  ],
  [{ DATABASE_URL: 'secret' }, 'DATABASE_URL must be like postgresql://user:password@host:5432/database.'],
  [
    { DATABASE_URL: 'postgres://u:secret@h/d?sslmode=prefer' },
    'DATABASE_URL must have sslmode=disable, no-verify, require, verify-ca or verify-full.',
  ],
  [{ DATABASE_DIRECT_URL: 'postgres://h/d' }, 'DATABASE_DIRECT_URL needs DATABASE_URL.'],
  [
    { DATABASE_URL: 'postgres://h/d', DATABASE_DIRECT_URL: 'h' },
    'DATABASE_DIRECT_URL must be like postgresql://user:password@host:5432/database.',
  ],
  [{ DATABASE_POOL: '0' }, 'DATABASE_POOL must be a whole number from 1 to 999, not "0".'],
  [{ AUDIT_RETENTION: '0' }, 'AUDIT_RETENTION must be a number of months from 1 to 999, not "0".'],
  [{ SUPER_ADMIN_EMAIL: 'root' }, 'SUPER_ADMIN_EMAIL must be an email address, not "root".'],
  [{ SUPER_ADMIN_PASSWORD: 'secret' }, 'SUPER_ADMIN_PASSWORD must have 12 to 256 characters.'],
  [
    { PLATFORM_DOMAIN: 'https://x' },
    'PLATFORM_DOMAIN must be a domain in lower case, such as example.com, not "https://x".',
  ],
  [
    { PORTAL_URL: 'https://x/#' },
    'PORTAL_URL must be an https address, such as https://{subdomain}.example.com, not "https://x/#".',
  ],
  [
    { DEFAULT_ALLOWED_ORIGIN: 'https://x/' },
    'DEFAULT_ALLOWED_ORIGIN must be an https origin, such as https://api.example.com, not "https://x/".',
  ],
  [
    { DEFAULT_ALLOWED_ORIGIN: 'http://api.internal' },
    'DEFAULT_ALLOWED_ORIGIN must be an https origin, such as https://api.example.com, not "http://api.internal".',
  ],
  [{ BRAND_NAME: ' ' }, 'BRAND_NAME must be a name of at most 60 characters, not " ".'],
  [{ SECRETS_KEY: 'short' }, 'SECRETS_KEY must be 32 bytes in base64, such as from "openssl rand -base64 32".'],
  [{ WEBHOOK_SECRET: 'too short' }, 'WEBHOOK_SECRET must be 32 to 200 characters without space or comma, or two such.'],
  [
    { WEBHOOK_SECRET: `${'a'.repeat(32)},` },
    'WEBHOOK_SECRET must be 32 to 200 characters without space or comma, or two such.',
  ],
  [
    { AI_API_URL: 'http://x/y' },
    'AI_API_URL must be an origin, such as http://ai-api.internal:3001, not "http://x/y".',
  ],
  [{ REVIEW_STORAGE: 'no' }, 'REVIEW_STORAGE must be on or off, not "no".'],
  [{ GOOGLE_MAPS_API_KEY: 'A secret' }, 'GOOGLE_MAPS_API_KEY must be a key of at most 200 characters without spaces.'],
  [{ GOOGLE_PLACES_URL: 'https://places.example' }, 'GOOGLE_PLACES_URL needs GOOGLE_MAPS_API_KEY.'],
  [{ GOOGLE_PHOTOS_URL: 'https://photos.example' }, 'GOOGLE_PHOTOS_URL needs GOOGLE_MAPS_API_KEY.'],
  [
    { GOOGLE_MAPS_API_KEY: 'k', GOOGLE_PHOTOS_URL: 'http://photos.example' },
    'GOOGLE_PHOTOS_URL must be an https origin, such as https://lh3.googleusercontent.com, or an origin on this machine, not "http://photos.example".',
  ],
  ...['http://places.example', 'https://places.example/v1', 'http://127.0.0.1.evil.example'].map(
    (url): [Record<string, string>, string] => [
      { GOOGLE_MAPS_API_KEY: 'k', GOOGLE_PLACES_URL: url },
      `GOOGLE_PLACES_URL must be an https origin, such as https://places.googleapis.com, or an origin on this machine, not "${url}".`,
    ],
  ),
  [{ TRUST_PROXY: 'true' }, 'TRUST_PROXY must list addresses or networks, such as 10.0.0.0/8,192.168.1.2, not "true".'],
  [
    { TRUST_PROXY: '10.0.0.0/33' },
    'TRUST_PROXY must list addresses or networks, such as 10.0.0.0/8,192.168.1.2, not "10.0.0.0/33".',
  ],
  [{ START_SECONDS: '3601' }, 'START_SECONDS must be a whole number from 0 to 3600, not "3601".'],
  [{ DRAIN_SECONDS: '301' }, 'DRAIN_SECONDS must be a whole number from 0 to 300, not "301".'],
  [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL must be fatal, error, warn, info, debug, trace or silent, not "loud".'],
  [{ ...OIDC, OIDC_CLIENT_ID: '' }, 'OIDC_ISSUER needs OIDC_CLIENT_ID.'],
  [{ ...OIDC, OIDC_CLIENT_SECRET: '' }, 'OIDC_ISSUER needs OIDC_CLIENT_SECRET.'],
  [
    { ...OIDC, OIDC_CLIENT_SECRET: 'two words' },
    'OIDC_CLIENT_SECRET must be a secret of at most 500 characters without spaces.',
  ],
  [{ ...OIDC, OIDC_ROLES: '' }, 'OIDC_ISSUER needs OIDC_ROLES.'],
  [
    { ...OIDC, OIDC_ROLES: 'groups: a=owner' },
    'OIDC_ROLES must give each value one of the roles super_admin, support, auditor, not "groups: a=owner".',
  ],
  [{ ...OIDC, OIDC_ISSUER: '' }, 'OIDC_CLIENT_ID needs OIDC_ISSUER.'],
  [{ ...OIDC, PUBLIC_URL: '' }, 'OIDC_ISSUER needs a PUBLIC_URL with https, or of this machine.'],
  [
    { ...OIDC, PUBLIC_URL: 'http://console.internal' },
    'OIDC_ISSUER needs a PUBLIC_URL with https, or of this machine.',
  ],
  ...['http://id.example.com', 'https://id.example.com/?a=1', 'id.example.com', 'http://127.0.0.1.evil.example'].map(
    (url): [Record<string, string>, string] => [
      { ...OIDC, OIDC_ISSUER: url },
      `OIDC_ISSUER must be an https address without a query, such as https://id.example.com/realms/staff, not "${url}".`,
    ],
  ),
  [{ PASSWORD_SIGN_IN: 'off' }, 'PASSWORD_SIGN_IN=off needs OIDC_ISSUER.'],
  [
    { SMTP_URL: 'smtp://mail.example.com', PUBLIC_URL: 'https://c.example.com' },
    'SMTP_URL needs MAIL_FROM, the sender of the mails.',
  ],
  [
    { SMTP_URL: 'smtp://mail.example.com', MAIL_FROM: 'a@example.com' },
    'SMTP_URL needs PUBLIC_URL, the address in the links of the mails.',
  ],
  [{ MAIL_FROM: 'a@example.com' }, 'MAIL_FROM needs SMTP_URL.'],
  ...['mail.example.com', 'https://u:secret@mail.example.com', 'smtp:///path', 'smtp://host/path'].map(
    (url): [Record<string, string>, string] => [
      { SMTP_URL: url },
      'SMTP_URL must be like smtps://user:password@mail.example.com.',
    ],
  ),
  [
    { MAIL_FROM: 'Switchboard' },
    'MAIL_FROM must be a sender, such as Switchboard <console@example.com>, not "Switchboard".',
  ],
  [{ SWITCHBOARD_PORT: '1' }, 'SWITCHBOARD_PORT is not a setting. Set PORT.'],
])('%o is refused', (env, sentence) => {
  expect(() => parseSettings(env)).toThrow(new StartError(sentence))
})

test('an unknown name is refused with the names of all settings', () => {
  expect(() => parseSettings({ SWITCHBOARD_COLOR: 'red' })).toThrow(
    /^SWITCHBOARD_COLOR is not a setting\. Settings are PORT, AI_PORT, /,
  )
})
