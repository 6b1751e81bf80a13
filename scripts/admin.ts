import { randomBytes } from 'node:crypto'
import { databaseClock } from '@switchboard/database/database-clock'
import { openRunQueue } from '@switchboard/jobs/run-queue'
import { createMailer } from '@switchboard/mail/mailer'
import { createLogger } from '@switchboard/server/process/log'
import { readSettings } from '@switchboard/server/settings/env'
import { databaseError } from '@switchboard/server/http/errors'
import { migrateDatabase } from '@switchboard/server/process/open-database'
import { commandHere } from '@switchboard/server/settings/commands'
import { createPasswords } from '@switchboard/sign-in/passwords'
import { resetSecondFactorOf } from '#apps/admin-api/src/auth/second-factors/reset-second-factor.service.ts'
import {
  createSuperAdmin,
  type Credentials,
  resetPassword,
  revokeTokensOf,
} from '#apps/admin-api/src/users/super-admins.service.ts'
import { argumentsOf, runCommand } from './command.ts'

// `npm run admin` helps the people of the console, only on the server's machine, where every user with shell access can read
// the data anyway. Every use is audited.

type AdminDeps = Parameters<typeof resetPassword>[0]

/** Each action by its name. Returns the lines to print. */
const ACTIONS = new Map<string, (deps: AdminDeps, email: string, name?: string) => Promise<string>>([
  ['create', async (deps, address, name) => textOf(await createSuperAdmin(deps, address, name))],
  [
    'reset-password',
    async (deps, address) => `${textOf(await resetPassword(deps, address))}\n${tokensLiveOn(address)}`,
  ],
  [
    'reset-second-factor',
    async (deps, address) =>
      `${await resetSecondFactorOf(deps, address)} signs in without a second factor and can add a new one in the settings.\n${tokensLiveOn(address)}`,
  ],
  [
    'revoke-tokens',
    async (deps, address) => {
      const names = await revokeTokensOf(deps, address)
      return names.length === 0
        ? 'This account has no live service tokens.'
        : `Revoked permanently: ${names.join(', ')}`
    },
  ],
])

const { positionals, refuse } = argumentsOf(
  'admin',
  {
    'create EMAIL [NAME]': 'makes a break-glass super admin',
    'reset-password EMAIL': 'gives a person of the console a new password',
    'reset-second-factor EMAIL': 'removes the second factors of a person of the console',
    'revoke-tokens EMAIL': 'revokes the service tokens of a person of the console',
  },
  { allowPositionals: true },
)
const [action = '', email = refuse(), name, ...rest] = positionals
const chosen = ACTIONS.get(action) ?? refuse()
if (rest.length > 0 || (name !== undefined && action !== 'create')) refuse()

await runCommand(migrateDatabase, async (db, directUrl) => {
  const { mail, brandName } = readSettings()
  const mailer = createMailer(mail, brandName)
  const { now } = await databaseClock(db)
  // Queues the notices about changed accounts, which the worker sends.
  const queue = await openRunQueue({ db, directUrl, log: createLogger('silent'), isWorker: false })
  try {
    const deps = { db, now, randomBytes, passwords: await createPasswords(), mailer, mails: queue.mails }
    const text = await chosen(deps, email, name).catch((error: unknown) => {
      throw databaseError(error) ?? error
    })
    console.log(text)
  } finally {
    await queue.stop()
  }
})

function textOf(credentials: Credentials): string {
  return `Sign in as  ${credentials.email}\nPassword    ${credentials.password}  (shown only now)`
}

function tokensLiveOn(address: string): string {
  return `Service tokens of this account keep working. To end them: ${commandHere('admin', 'revoke-tokens', address)}`
}
