import { randomBytes } from 'node:crypto'
import { databaseClock } from '@switchboard/database/database-clock'
import { databaseError } from '@switchboard/server/http/errors'
import { migrateDatabase } from '@switchboard/server/process/open-database'
import { createPasswords } from '@switchboard/sign-in/passwords'
import { createSuperAdmin, type Credentials, resetPassword } from '#apps/admin-api/src/users/super-admins.service.ts'
import { runCommand } from './command.ts'

// `npm run admin -- create EMAIL` and `npm run admin -- reset-password EMAIL`. Only on the server's machine, where every
// user with shell access can read the data anyway. Every use is audited.

const ACTIONS = { create: createSuperAdmin, 'reset-password': resetPassword }

const [action = '', email, ...rest] = process.argv.slice(2)
const chosen = action === 'create' || action === 'reset-password' ? ACTIONS[action] : undefined
if (chosen === undefined || email === undefined || rest.length > 0) {
  console.error('Usage: npm run admin -- create EMAIL | reset-password EMAIL')
  process.exit(1)
}

await runCommand(migrateDatabase, async (db) => {
  const { now } = await databaseClock(db)
  const deps = { db, now, randomBytes, passwords: await createPasswords() }
  const credentials: Credentials = await chosen(deps, email).catch((error: unknown) => {
    throw databaseError(error) ?? error
  })
  console.log(`Sign in as  ${credentials.email}\nPassword    ${credentials.password}  (shown only now)`)
})
