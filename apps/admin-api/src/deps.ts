import type { ConsoleSettings } from '@switchboard/contract/wire/console-settings'
import type { SessionLimits } from '@switchboard/contract/auth/session-limits'
import type { Database } from '@switchboard/database/tables'
import type { PhotosClient } from '@switchboard/places/photos.client'
import type { PlacesClient } from '@switchboard/places/places.client'
import type { Renderer } from '@switchboard/prompts/renderer'
import type { Log } from '@switchboard/server/process/log'
import type { Kysely } from 'kysely'
import type { Passwords } from '#src/passwords/passwords.ts'
import type { AiApiClient } from '#src/tasks/ai-api.client.ts'

/** All that admin-api needs from outside: services take what they need of it as their first argument. */
export type Deps = {
  db: Kysely<Database>
  /** A small pool of its own for whole lists, so that slow readers cannot keep everybody else waiting. */
  streamDb: Kysely<Database>
  log: Log
  now: () => Date
  randomBytes: (size: number) => Buffer
  passwords: Passwords
  aiApi: AiApiClient
  places: PlacesClient
  photos: PhotosClient
  /** Ends with the app. */
  renderer: Renderer
  /** What the console must know; put into its page. */
  consoleSettings: ConsoleSettings
  /** Folder of the built console, or `null` to serve the API alone. */
  consoleFolder: string | null
  /** Calls of each kind that a session may make in a minute. `null`, in tests and benches: any number. */
  sessionLimits: SessionLimits | null
  /** Whose `X-Forwarded-*` headers are believed. */
  trustProxy: false | string[]
  /** Origin under which people reach the console. Undefined: any host is served. */
  publicUrl: string | undefined
  /** Contact for security reports: a `mailto:` or `https:` address. */
  securityContact: string
}
