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
import { runCommand } from './command.ts'

// `npm run admin -- create EMAIL [NAME]`, `reset-password EMAIL`, `reset-second-factor EMAIL` and `revoke-tokens EMAIL`. Only
// on the server's machine, where every user with shell access can read the data anyway. Every use is audited.

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

const [action = '', email, name, ...rest] = process.argv.slice(2)
const chosen = ACTIONS.get(action)
const isNameRefused = name !== undefined && action !== 'create'
if (chosen === undefined || email === undefined || isNameRefused || rest.length > 0) {
  const usages = [...ACTIONS.keys()].map((verb) => {
    const values = verb === 'create' ? 'EMAIL [NAME]' : 'EMAIL'
    return `"${commandHere('admin', verb, values)}"`
  })
  console.error(`Run ${usages.join(', or ')}.`)
  process.exit(1)
}

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
