import { type ConsoleRole, email as emailAddress, isConsoleRole } from '@switchboard/contract/auth/current-admin'
import type { Database } from '@switchboard/database/tables'
import type { Kysely } from 'kysely'
import { SsoError } from './single-sign-on.client.ts'
import { accountOfIdentity, accountWithEmail } from './identities.queries.ts'

/** A person whom the identity provider has signed in, with the role of the claim. */
export type SignedOn = {
  issuer: string
  subject: string
  email: string | null
  is_email_verified: boolean | null
  name: string | null
  role: ConsoleRole
  sid: string | null
}

type Account = NonNullable<Awaited<ReturnType<typeof accountWithEmail>>>

/** The account to open: an account that has the identity, an account that gets it, or a new account. */
export type Opened =
  | { kind: 'known'; account: Account; identity_id: string }
  | { kind: 'linked'; account: Account }
  | { kind: 'new'; email: string }

/**
 * Finds the account of a person. An account is linked by its address only when the identity provider has verified the address.
 * A break-glass account is never linked: it has to work when the identity provider is misconfigured. Throws an
 * SsoError.
 */
export async function accountFor(db: Kysely<Database>, person: SignedOn): Promise<Opened> {
  const known = await accountOfIdentity(db, person)
  if (known !== undefined) {
    refuseUnusable(known)
    return { kind: 'known', account: known, identity_id: known.identity_id }
  }
  const { success, data: email } = emailAddress.safeParse(person.email)
  if (!success) throw new SsoError('no_email', 'The claims have no email address.')
  if (person.is_email_verified === false)
    throw new SsoError('email_unverified', 'The identity provider has not verified the email address.')
  const account = await accountWithEmail(db, email)
  if (account === undefined) return { kind: 'new', email }
  if (account.tenant_id !== null || account.is_break_glass)
    throw new SsoError('email_taken', 'The email address belongs to a user of a tenant or to a break-glass account.')
  if (person.is_email_verified !== true)
    throw new SsoError('email_unverified', 'Only a verified email address is linked to an account.')
  refuseUnusable(account)
  return { kind: 'linked', account }
}

function refuseUnusable({ is_active, role }: Account): void {
  if (!is_active) throw new SsoError('inactive', 'The account is inactive.')
  if (!isConsoleRole(role)) throw new SsoError('email_taken', 'The account belongs to a tenant.')
}
