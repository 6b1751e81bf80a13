import { inTransaction } from '@switchboard/database/in-transaction'
import { confirm, type Confirmation, type ConfirmationProof } from '@switchboard/contract/auth/confirmation'
import { CONFIRM_FIRST, CONFIRMATION_REQUIRED, CONFIRMED_MINUTES } from '@switchboard/contract/auth/confirmed'
import type { SignInMethod } from '@switchboard/contract/auth/sign-ins'
import { addedFields, writeAudit } from '@switchboard/database/audit/audit.queries'
import { AppError, badRequest, unauthorized } from '@switchboard/server/http/errors'
import type { ZodApp } from '@switchboard/server/http/zod-app'
import { actorOf } from '#src/auth/authenticate.service.ts'
import { checkCurrentPassword, countedForSession } from '#src/auth/current-password.service.ts'
import { lockUserOfSession } from '#src/auth/sign-in.queries.ts'
import type { Deps } from '#src/deps.ts'
import { askSecondFactor, countedChallenge, hasSecondFactor } from '#src/auth/second-factors/challenges.service.ts'
import type { Site } from '#src/auth/second-factors/passkeys.service.ts'
import { methodOf, verifyAnswer } from '#src/auth/second-factors/proof.service.ts'
import type { Actor, SignedInActor } from '#src/auth/sessions/sessions.service.ts'
import { updateConfirmedAt } from './confirmation.queries.ts'

const ACTION = confirm.schema.operationId
const ENDED = 'This question has ended. Try again.'
const FACTOR_NEEDED = 'Confirm with your second factor. The password alone is not enough for this account.'
const WRONG_ANSWER = 'This is not right, or was used before.'

/** Refuses calls that are always sensitive if the session has no recent confirmation. Runs before any body is read. */
export function requireConfirmations(app: ZodApp, deps: Pick<Deps, 'now'>): void {
  app.addHook('onRequest', async (request) => {
    const { config } = request.routeOptions
    if (request.is404 || config.public === true) return
    if (config.confirmed === true) refuseUnconfirmed(deps, actorOf(request))
  })
}

/**
 * Throws 403 with the code `CONFIRMATION_REQUIRED` unless the session has a recent sign-in or confirmation. If the
 * account has a second factor, only a sign-in or a confirmation with this factor counts.
 */
export function refuseUnconfirmed({ now }: Pick<Deps, 'now'>, { session_id, confirmed_at }: Actor): void {
  // Nobody could confirm: no person uses a service token.
  if (session_id === null) return
  if (confirmed_at !== null && now() < confirmedUntil(new Date(confirmed_at))) return
  throw new AppError(403, CONFIRM_FIRST, { code: CONFIRMATION_REQUIRED })
}

/** Confirms the session of the actor. Throws the errors listed at the endpoint. */
export async function confirmSession(
  deps: Deps,
  actor: SignedInActor,
  site: Site,
  proof: ConfirmationProof,
): Promise<Confirmation> {
  const method = await checkProof(deps, actor, site, proof)
  const at = deps.now()
  await inTransaction(deps.db, async (trx) => {
    const user = await lockUserOfSession(trx, actor, at)
    if (user === undefined) throw unauthorized('Not authenticated')
    const confirmed_with_factor_at = method === 'password' ? {} : { confirmed_with_factor_at: at }
    await updateConfirmedAt(trx, actor.session_id, { confirmed_at: at, ...confirmed_with_factor_at })
    await writeAudit(trx, at, actor, {
      action: ACTION,
      target: { type: 'session', id: actor.session_id, name: user.email, tenant_id: null },
      changes: addedFields({ method }),
    })
  })
  return { confirmed_until: confirmedUntil(at).toISOString() }
}

/** Asks for the second factor of the actor. The challenge is null without one. */
export async function askForConfirmation(deps: Deps, actor: SignedInActor, site: Site) {
  const asked = { user_id: actor.id, address: actor.address, user_agent: null, site }
  return { challenge: await askSecondFactor(deps, deps.db, 'confirmation', asked) }
}

/**
 * Checks the proof and returns its kind. For an account with a second factor, neither the password nor a passkey that
 * did not verify its user is enough by itself. Throws for a wrong proof.
 */
async function checkProof(
  deps: Deps,
  actor: SignedInActor,
  site: Site,
  proof: ConfirmationProof,
): Promise<SignInMethod> {
  const { password, id, ...answer } = proof
  if (id === undefined && (await hasSecondFactor(deps.db, actor.id))) throw badRequest(FACTOR_NEEDED)
  if (password !== undefined) await checkCurrentPassword(deps, actor, password, ACTION)
  if (id === undefined) return 'password'
  await countedForSession(deps, actor, ACTION, async () => {
    const challenge = await countedChallenge(deps, 'confirmation', id)
    if (challenge?.user_id !== actor.id) throw badRequest(ENDED)
    const result = await inTransaction(deps.db, async (trx) => {
      const user = await lockUserOfSession(trx, actor, deps.now())
      if (user === undefined) throw unauthorized('Not authenticated')
      return await verifyAnswer(deps, trx, challenge, {
        user_id: user.id,
        proof: answer,
        site,
        mustVerifyUser: password === undefined,
      })
    })
    if (result !== 'right') throw badRequest(result === 'ended' ? ENDED : WRONG_ANSWER)
  })
  return methodOf(answer)
}

function confirmedUntil(confirmedAt: Date): Date {
  return new Date(confirmedAt.getTime() + CONFIRMED_MINUTES * 60_000)
}
