import type { ConsoleRole } from '@switchboard/contract/auth/current-admin'
import { connect } from '@switchboard/database/connection/connect'
import { urlOfRunning } from '@switchboard/embedded-postgres/embedded-postgres'
import { makeUser } from '@switchboard/testing/factories'
import { EMAIL, type Server } from './server.ts'

/** A member of the team, with the password of the first super admin. Returns the email address. */
export async function makeMember({ dataDir }: Server, role: ConsoleRole): Promise<string> {
  const url = urlOfRunning(dataDir)
  if (url === undefined) throw new Error('the database does not run')
  const db = connect(url)
  try {
    const { password_hash } = await db
      .selectFrom('users')
      .select('password_hash')
      .where('email', '=', EMAIL)
      .executeTakeFirstOrThrow()
    const email = `${role.replace('_', '-')}.${crypto.randomUUID().slice(0, 8)}@switchboard.example`
    await makeUser(db, { email, role, password_hash })
    return email
  } finally {
    await db.destroy()
  }
}
