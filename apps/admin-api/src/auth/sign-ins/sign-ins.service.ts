import { inTransaction } from '@switchboard/database/in-transaction'
import { login } from '@switchboard/contract/auth'
import { deviceLabel } from '@switchboard/contract/auth/device-label'
import {
  dismissNewSignIn as dismissEndpoint,
  KNOWN_DEVICE_DAYS,
  NEW_SIGN_INS_SHOWN,
  type NewSignIn,
  type OwnSignIn,
  SIGN_INS_LISTED,
  type SignInMethod,
  signInMethod,
} from '@switchboard/contract/auth/sign-ins'
import { addedFields, writeAudit } from '@switchboard/database/audit/audit.queries'
import type { AuditChanges } from '@switchboard/database/audit-tables'
import type { Database } from '@switchboard/database/tables'
import { notFound } from '@switchboard/server/http/errors'
import { networkOf } from '@switchboard/sign-in/throttle'
import type { Transaction } from 'kysely'
import { z } from 'zod'
import type { Deps } from '#src/deps.ts'
import type { SignedInActor } from '#src/auth/sessions/sessions.service.ts'
import {
  closeNotice,
  deleteDevicesUnusedSince,
  insertKnownDevice,
  knownDevicesOf,
  noticesOf,
  refusedSignInsAt,
  signInsOf,
} from './sign-ins.queries.ts'

/** Actions of the audit log that are sign-ins. */
const SIGN_IN_ACTIONS = [login.schema.operationId]
const DAY_MS = 24 * 60 * 60 * 1_000

/** The device and the method of a sign-in, for its audit entry, and whether the place is new to the account. */
export function signInDetails(userAgent: string | null, method: SignInMethod, isNewPlace = false): AuditChanges {
  return addedFields({ device: deviceLabel(userAgent), method, ...(isNewPlace && { is_new_place: true }) })
}

/**
 * Remembers the network and the browser of a verified sign-in, in its transaction, which has locked the account. A new
 * network or browser opens a notice and, with mail, queues a mail, unless this is the first sign-in to the account.
 * Returns whether it did.
 */
export async function rememberDevice(
  { now, mailer, mails }: Pick<Deps, 'now' | 'mailer' | 'mails'>,
  trx: Transaction<Database>,
  signIn: { user_id: string; email: string; session_id: string; address: string; user_agent: string | null },
): Promise<boolean> {
  const { user_id, email, session_id, address } = signIn
  const at = now()
  const network = networkOf(address)
  const device = deviceLabel(signIn.user_agent)
  const remembered = await knownDevicesOf(trx, user_id)
  const forgottenBefore = new Date(at.getTime() - KNOWN_DEVICE_DAYS * DAY_MS)
  await deleteDevicesUnusedSince(trx, user_id, forgottenBefore)
  const known = remembered.filter(({ last_at }) => new Date(last_at) >= forgottenBefore)
  const isKnown = known.some((one) => one.network === network) && known.some((one) => one.device === device)
  const isNew = !isKnown && remembered.length > 0
  const isMailed = isNew && mailer !== null
  const id = await insertKnownDevice(trx, {
    user_id,
    session_id,
    network,
    device,
    address,
    first_at: at,
    last_at: at,
    is_noticed: !isNew,
    mail_to: isMailed ? email : null,
    mail_state: isMailed ? 'queued' : null,
  })
  if (isMailed) await mails.enqueue(trx, { new_sign_in_id: id })
  return isNew
}

/** The last sign-ins to the actor's account, newest first. */
export async function ownSignIns({ db }: Pick<Deps, 'db'>, actor: SignedInActor): Promise<OwnSignIn[]> {
  const [own, refused] = await Promise.all([
    signInsOf(db, { actorId: actor.id, actions: SIGN_IN_ACTIONS, limit: SIGN_INS_LISTED }),
    refusedSignInsAt(db, { email: actor.email, actions: SIGN_IN_ACTIONS, limit: SIGN_INS_LISTED }),
  ])
  return [...own, ...refused]
    .toSorted((one, other) => other.seq - one.seq)
    .slice(0, SIGN_INS_LISTED)
    .map(({ changes, ...signIn }) => ({
      ...signIn,
      device: details.shape.device.safeParse(changes['device']).data?.after ?? null,
      method: details.shape.method.safeParse(changes['method']).data?.after ?? null,
    }))
}

/** Written by `signInDetails`. Earlier releases wrote nothing. */
const details = z.object({ device: z.object({ after: z.string() }), method: z.object({ after: signInMethod }) })

/** The open notices of the actor's account, newest first, without the notice of the actor's own sign-in. */
export async function newSignIns({ db }: Pick<Deps, 'db'>, actor: SignedInActor): Promise<NewSignIn[]> {
  return await noticesOf(db, actor, NEW_SIGN_INS_SHOWN)
}

/** Closes a notice for all sessions of the account. Throws 404. */
export async function dismissNewSignIn(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  actor: SignedInActor,
  id: string,
): Promise<void> {
  await inTransaction(db, async (trx) => {
    if (!(await closeNotice(trx, actor, id))) throw notFound('Sign-in')
    await writeAudit(trx, now(), actor, {
      action: dismissEndpoint.schema.operationId,
      target: { type: 'user', id: actor.id, name: actor.email, tenant_id: null },
    })
  })
}
