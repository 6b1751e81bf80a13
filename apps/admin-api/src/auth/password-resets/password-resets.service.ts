import { PASSWORD_SIGN_IN_OFF } from '@switchboard/contract/single-sign-on'
import * as contract from '@switchboard/contract/password-resets'
import { MAIL_IS_OFF } from '@switchboard/contract/mail'
import { foldEmail } from '@switchboard/contract/auth/email-address'
import { SECRET_CHANGE } from '@switchboard/database/audit/secret-change'
import { writeAudit, writeAudits } from '@switchboard/database/audit/audit.queries'
import { inTransaction } from '@switchboard/database/in-transaction'
import { conflict } from '@switchboard/server/http/errors'
import { refuseGuessable } from '@switchboard/sign-in/new-password'
import { runInTurn } from '@switchboard/sign-in/sign-in-queue'
import { accountHash, attemptAt, auditedEmail, endThrottleWindows, reserveAttempt } from '@switchboard/sign-in/throttle'
import { deleteAttemptsOfAccount } from '@switchboard/sign-in/throttle.queries'
import { endOpenAccess, endTokens } from '#src/auth/access/access.service.ts'
import { addressesOfAccount } from '#src/auth/sign-in.queries.ts'
import { tellAccount } from '#src/auth/account-notices/account-notices.service.ts'
import type { Deps } from '#src/deps.ts'
import { issueLink, linkOfToken, linkRefused, takeLink } from '#src/auth/links/links.service.ts'
import { updateUserRow } from '#src/users/users.queries.ts'
import { lockConsoleAccount } from './password-resets.queries.ts'

const TOO_MANY_LINKS = 'Too many links were requested for this address. Use the link in an earlier mail.'

type Caller = { address: string; request_id: string }

/**
 * Queues a link for the address, whether or not an account has this address: the worker looks for the account. So known
 * and unknown addresses have the same answer and the same work. Earlier links stay valid. Counted separately from
 * sign-ins, so that too many failed sign-ins do not block a reset. Throws 409 without mail, 429 after too many
 * requests.
 */
export async function requestPasswordReset(deps: Deps, caller: Caller, email: string): Promise<void> {
  const { db, now, mailer } = deps
  if (!deps.isPasswordSignInOn) throw conflict(PASSWORD_SIGN_IN_OFF)
  if (mailer === null) throw conflict(MAIL_IS_OFF)
  const action = contract.forgotPassword.schema.operationId
  const foldedEmail = foldEmail(email)
  const attempt = attemptAt(`password reset ${foldedEmail}`, caller.address)
  const actor = { id: null, email: auditedEmail(email), ...caller }
  await runInTurn(attempt.address, {
    count: () =>
      reserveAttempt(deps, attempt, {
        actor,
        action,
        knownAddresses: (trx) => addressesOfAccount(trx, foldedEmail),
        perHour: { max: contract.PASSWORD_RESETS_PER_HOUR, sentence: TOO_MANY_LINKS },
      }),
    verify: () =>
      inTransaction(db, async (trx) => {
        const recipient = {
          kind: 'password_reset' as const,
          email: foldedEmail,
          role: null,
          invited_by: null,
          invited_by_id: null,
        }
        await issueLink(deps, trx, recipient, mailer.consoleUrl)
        await writeAudit(trx, now(), actor, { action })
      }),
  })
  await endThrottleWindows(deps)
}

/**
 * Replaces the password of the account of a link, ends its sessions and its other reset links, forgets its failed
 * sign-ins, and revokes its service tokens if asked to. Throws 404 with `LINK_REFUSED`, also if the account was
 * deactivated, has changed its address or may not use a password, and 422 for a guessable password.
 */
export async function resetPassword(
  deps: Deps,
  caller: Caller,
  { token, password, revoke_tokens = false }: { token: string; password: string; revoke_tokens?: boolean | undefined },
): Promise<void> {
  const { db, now, passwords } = deps
  const link = await linkOfToken(deps, 'password_reset', token)
  await refuseGuessable(deps, 'password', password, { owner: 'console', names: [link.email] })
  const password_hash = await passwords.hash(password)
  await inTransaction(db, async (trx) => {
    const { user_id, email } = await takeLink(deps, trx, 'password_reset', token)
    const account = user_id === null ? undefined : await lockConsoleAccount(trx, user_id)
    if (account === undefined || foldEmail(account.email) !== email) throw linkRefused()
    await updateUserRow(trx, account.id, { password_hash })
    await endOpenAccess(trx, account)
    const revoked = revoke_tokens ? await endTokens(trx, now(), account.id) : []
    await tellAccount(deps, trx, { ...account, ...caller }, account, [
      'The password was reset with a link sent by mail.',
    ])
    await deleteAttemptsOfAccount(trx, accountHash(email))
    const entry = {
      action: contract.resetPassword.schema.operationId,
      target: { type: 'user' as const, id: account.id, name: account.email, tenant_id: null },
      changes: { password: SECRET_CHANGE },
    }
    await writeAudits(trx, now(), { ...account, ...caller }, [...revoked, entry])
  })
}
