import type { ConsoleRole } from '@switchboard/contract/auth/current-admin'
import { connect } from '@switchboard/database/connection/connect'
import { urlOfRunning } from '@switchboard/embedded-postgres/embedded-postgres'
import { makeUser } from '@switchboard/testing/factories'
import { EMAIL, type Server } from './server.ts'

/** Creates a member, with the password of the first super admin or by single sign-on. Returns the email address. */
export async function makeMember(
  { dataDir }: Server,
  role: ConsoleRole,
  { isOfSingleSignOn = false } = {},
): Promise<string> {
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
    if (!isOfSingleSignOn) {
      await makeUser(db, { email, role, password_hash })
      return email
    }
    const { id } = await makeUser(db, { email, role, may_use_password: false })
    const identity = { issuer: 'https://id.example.com', subject: email, user_id: id, created_at: new Date() }
    await db.insertInto('sso_identities').values(identity).execute()
    return email
  } finally {
    await db.destroy()
  }
}
