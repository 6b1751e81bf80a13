import type { ConsoleSettings } from '@switchboard/contract/wire/console-settings'
import type { Database } from '@switchboard/database/tables'
import type { OutboundProxies } from '@switchboard/server/settings/outbound-proxies'
import type { RunQueue } from '@switchboard/jobs/run-queue'
import type { Log } from '@switchboard/server/process/log'
import type { Passwords } from '@switchboard/sign-in/passwords'
import type { SignInFailures } from '@switchboard/sign-in/sign-in-metrics'
import type { Kysely } from 'kysely'

/** Dependencies of ai-api. */
export type Deps = {
  db: Kysely<Database>
  /** Database URL without a pooler, for the connection that listens for changes. */
  directUrl: string
  log: Log
  now: () => Date
  passwords: Passwords
  /** Counts failed sign-ins, for the metrics. */
  signInFailures: SignInFailures
  /** The name of the product, which no new password may contain. */
  consoleSettings: Pick<ConsoleSettings, 'brand_name'>
  /** Receives the runs that admins start. */
  queue: Pick<RunQueue, 'enqueue'>
  /** Accepted secrets for signatures of admin-api. */
  webhookSecrets: readonly string[]
  /** How long clients may use a prompt without asking again, in seconds. */
  promptMaxAge: number
  /** How reports of leaked keys are verified, and whether a report deactivates its key. Null: none are taken. */
  keyReports: { publicKeysUrl: string; deactivates: boolean; outboundProxies?: OutboundProxies } | null
  /** Proxies whose `X-Forwarded-*` headers are trusted. */
  trustProxy: false | string[]
}
