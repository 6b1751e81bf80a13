import { foldEmail } from '@switchboard/contract/auth/email-address'
import type { Database } from '@switchboard/database/tables'
import { NO_PASSWORD } from '@switchboard/sign-in/passwords'
import type { Transaction } from 'kysely'

/** Revokes the live tokens that a person made. Returns them. */
export async function revokeTokensOf(trx: Transaction<Database>, makerId: string, at: Date) {
  return await trx
    .updateTable('service_tokens')
    .set({ revoked_at: at })
    .where('created_by_id', '=', makerId)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', at.toISOString())
    .returning(['id', 'name'])
    .execute()
}

/** Deletes the invitations that a person sent. Returns their addresses and roles. */
export async function deleteInvitationsBy(trx: Transaction<Database>, inviterId: string) {
  return await trx
    .deleteFrom('links')
    .where('kind', '=', 'invitation')
    .where('invited_by_id', '=', inviterId)
    .returning(['email', 'role'])
    .execute()
}

/** Deletes the links to new addresses that a person requested for other accounts. */
export async function deleteAddressChangesBy(trx: Transaction<Database>, id: string): Promise<void> {
  await trx
    .deleteFrom('links')
    .where('kind', '=', 'email_change')
    .where('invited_by_id', '=', id)
    .where('user_id', '<>', id)
    .execute()
}

/** Deletes the invitations to an address. Returns them. */
export async function deleteInvitationsTo(trx: Transaction<Database>, email: string) {
  return await trx
    .deleteFrom('links')
    .where('kind', '=', 'invitation')
    .where('folded_email', '=', foldEmail(email))
    .returning(['email', 'role'])
    .execute()
}

/**
 * Deletes the password reset links of an account, including links that the worker has not sent yet, and the invitation of a
 * user of a tenant. Also deletes the links that confirm a new address for this account, or for another account at the request of this one.
 */
export async function deleteLinks(
  trx: Transaction<Database>,
  { id, email }: { id: string; email: string },
): Promise<void> {
  await trx
    .deleteFrom('links')
    .where('kind', '<>', 'invitation')
    .where((link) =>
      link.or([
        link('user_id', '=', id),
        link('invited_by_id', '=', id),
        link.and([link('kind', '=', 'password_reset'), link('folded_email', '=', foldEmail(email))]),
      ]),
    )
    .execute()
}

/**
 * Deletes the sessions of an account, its open second-factor challenges, and its single sign-on codes that are not
 * redeemed yet.
 */
export async function deleteSignIns(trx: Transaction<Database>, id: string): Promise<void> {
  await trx.deleteFrom('sessions').where('user_id', '=', id).execute()
  await trx.deleteFrom('sign_in_challenges').where('user_id', '=', id).execute()
  await trx
    .deleteFrom('sso_codes')
    .using('sso_identities')
    .whereRef('sso_codes.issuer', '=', 'sso_identities.issuer')
    .whereRef('sso_codes.subject', '=', 'sso_identities.subject')
    .where('user_id', '=', id)
    .execute()
}

/** Deletes the sessions of an account, except those that single sign-on opened. */
export async function deletePasswordSessions(trx: Transaction<Database>, id: string): Promise<void> {
  await trx.deleteFrom('sessions').where('user_id', '=', id).where('sso_identity_id', 'is', null).execute()
}

/** Removes the password. A trigger then deletes the open second-factor challenges. */
export async function deletePassword(trx: Transaction<Database>, id: string): Promise<void> {
  await trx
    .updateTable('users')
    .set({ password_hash: NO_PASSWORD, may_use_password: false })
    .where('id', '=', id)
    .execute()
}
