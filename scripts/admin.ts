import { randomBytes } from 'node:crypto'
import { databaseClock } from '@switchboard/database/database-clock'
import { databaseError } from '@switchboard/server/http/errors'
import { migrateDatabase } from '@switchboard/server/process/open-database'
import { commandHere } from '@switchboard/server/settings/commands'
import { createPasswords } from '@switchboard/sign-in/passwords'
import { resetSecondFactorOf } from '#apps/admin-api/src/second-factors/reset-second-factor.service.ts'
import { createSuperAdmin, type Credentials, resetPassword } from '#apps/admin-api/src/users/super-admins.service.ts'
import { runCommand } from './command.ts'

// `npm run admin -- create EMAIL`, `reset-password EMAIL` and `reset-second-factor EMAIL`. Only on the server's machine, where every
// user with shell access can read the data anyway. Every use is audited.

type AdminDeps = Parameters<typeof createSuperAdmin>[0]

/** Each action by its name. Returns the lines to print. */
const ACTIONS = new Map<string, (deps: AdminDeps, email: string) => Promise<string>>([
  ['create', async (deps, address) => textOf(await createSuperAdmin(deps, address))],
  ['reset-password', async (deps, address) => textOf(await resetPassword(deps, address))],
  [
    'reset-second-factor',
    async (deps, address) =>
      `${await resetSecondFactorOf(deps, address)} signs in without a second factor and can add a new one in the settings.`,
  ],
])

const [action = '', email, ...rest] = process.argv.slice(2)
const chosen = ACTIONS.get(action)
if (chosen === undefined || email === undefined || rest.length > 0) {
  const usages = [...ACTIONS.keys()].map((name) => `"${commandHere('admin', name, 'EMAIL')}"`)
  console.error(`Run ${usages.join(', or ')}.`)
  process.exit(1)
}

await runCommand(migrateDatabase, async (db) => {
  const { now } = await databaseClock(db)
  const deps = { db, now, randomBytes, passwords: await createPasswords() }
  const text = await chosen(deps, email).catch((error: unknown) => {
    throw databaseError(error) ?? error
  })
  console.log(text)
})

function textOf(credentials: Credentials): string {
  return `Sign in as  ${credentials.email}\nPassword    ${credentials.password}  (shown only now)`
}
