import type { OwnBackups } from '@switchboard/backup/own-backups'
import type { SystemSetting } from '@switchboard/contract/system'
import type { ConsoleSettings } from '@switchboard/contract/wire/console-settings'
import type { RateLimits } from '@switchboard/contract/auth/rate-limits'
import type { SecretKeys } from '@switchboard/database/stored-secrets/encryption'
import type { Database } from '@switchboard/database/tables'
import type { MailQueue } from '@switchboard/jobs/mail-queue'
import type { RunQueue } from '@switchboard/jobs/run-queue'
import type { Mailer } from '@switchboard/mail/mailer'
import type { PhotosClient } from '@switchboard/places/photos.client'
import type { PlacesClient } from '@switchboard/places/places.client'
import type { Renderer } from '@switchboard/prompts/renderer'
import type { AddressGuard } from '@switchboard/server/outbound/address-guard'
import type { Log } from '@switchboard/server/process/log'
import type { Kysely } from 'kysely'
import type { Passwords } from '@switchboard/sign-in/passwords'
import type { SignInFailures } from '@switchboard/sign-in/sign-in-metrics'
import type { AiApiClient } from '#src/tasks/runs/ai-api.client.ts'
import type { SingleSignOn } from '#src/auth/single-sign-on/single-sign-on.client.ts'

/** Dependencies of admin-api. Services take a subset as their first argument. */
export type Deps = {
  db: Kysely<Database>
  /** A separate small pool for whole lists, so that slow clients cannot exhaust the main pool. */
  streamDb: Kysely<Database>
  log: Log
  now: () => Date
  randomBytes: (size: number) => Buffer
  passwords: Passwords
  /** Keys of stored secrets. */
  secretKeys: SecretKeys
  /** Counts failed sign-ins, for the metrics. */
  signInFailures: SignInFailures
  aiApi: AiApiClient
  /** Receives the runs of retries, and knows the workers. */
  queue: Pick<RunQueue, 'enqueue' | 'workers'>
  /** Receives the mails with links. */
  mails: Pick<MailQueue, 'enqueue'>
  /** Sends test mails. Null without `SMTP_URL`: links are then shown to copy. */
  mailer: Mailer | null
  places: PlacesClient
  photos: PhotosClient
  /** Ends with the app. */
  renderer: Renderer
  /** Decides which addresses webhooks may call. */
  addressGuard: AddressGuard
  /** Settings of the console, embedded in its page. */
  consoleSettings: ConsoleSettings
  /** Settings of this process, without secrets. */
  shownSettings: readonly SystemSetting[]
  /** The backups of the embedded PostgreSQL. Null: the database is backed up outside of the servers. */
  backups: OwnBackups | null
  /** How many months rows stay in the audit log. Null: all of them. */
  auditRetention: number | null
  /** Folder of the built console, or `null` to serve only the API. */
  consoleFolder: string | null
  /** Calls per kind, session and minute. `null`: unlimited, for tests and benches. */
  rateLimits: RateLimits | null
  /** Proxies with trusted `X-Forwarded-*` headers. */
  trustProxy: false | string[]
  /** Public origin of the console. Undefined: the host of a request is not checked. */
  publicUrl: string | undefined
  /** Address of the portal of a tenant, with `{subdomain}` for the subdomain. */
  portalUrl: string
  /** Contact for security reports: a `mailto:` or `https:` address. */
  securityContact: string
  /** The client of the identity provider, or `null` without single sign-on. */
  singleSignOn: SingleSignOn | null
  /** Whether every account may sign in with a password, and not only break-glass accounts. */
  isPasswordSignInOn: boolean
}
