import type { Database } from '@switchboard/database/tables'
import { createLogger, type Log } from '@switchboard/server/process/log'
import { createPasswords, type Passwords } from '@switchboard/sign-in/passwords'
import { createSignInFailures } from '@switchboard/sign-in/sign-in-metrics'
import type { Kysely } from 'kysely'
import type { Deps } from '#src/deps.ts'

export const TEST_SECRET = 'the secret of the tests, 32 letters'.replaceAll(' ', '-')

const livePasswords = await createPasswords()

type TestOptions = {
  db: Kysely<Database>
  directUrl: string
  log?: Log
  queue?: Deps['queue']
  now?: () => Date
  passwords?: Passwords
  promptMaxAge?: number
  keyReports?: Deps['keyReports']
}

/** Dependencies of an ai-api under test. Without a queue it cannot start runs. */
export function testDeps({
  db,
  directUrl,
  log = createLogger('silent'),
  queue = NO_QUEUE,
  now = () => new Date(),
  passwords = livePasswords,
  promptMaxAge = 0,
  keyReports = null,
}: TestOptions): Deps {
  const consoleSettings = { brand_name: 'Switchboard' }
  return {
    db,
    directUrl,
    log,
    now,
    passwords,
    signInFailures: createSignInFailures(),
    consoleSettings,
    queue,
    webhookSecrets: [TEST_SECRET],
    promptMaxAge,
    keyReports,
    trustProxy: false,
  }
}

const NO_QUEUE = { enqueue: async () => Promise.reject(new Error('This test has no job queue.')) }
