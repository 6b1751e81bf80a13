import { inTransaction } from '@switchboard/database/in-transaction'
import { createHash } from 'node:crypto'
import { email as emailAddress } from '@switchboard/contract/auth/current-admin'
import { foldEmail } from '@switchboard/contract/auth/email-address'
import { type AuditActor, type AuditEntry, writeAudit } from '@switchboard/database/audit/audit.queries'
import type { Database } from '@switchboard/database/tables'
import { type AppError, tooManyRequests } from '@switchboard/server/http/errors'
import ipaddr from 'ipaddr.js'
import type { Kysely, Transaction } from 'kysely'
import {
  type Attempt,
  attemptsAtAccount,
  attemptsSince,
  countRefusal,
  deleteAttemptsBefore,
  insertAttempt,
  lockAttempts,
  takeRefusalsUntil,
} from './throttle.queries.ts'

export type ThrottleDeps = { db: Kysely<Database>; now: () => Date }

const MINUTE_MS = 60 * 1_000
const HOUR_MS = 60 * MINUTE_MS
const WINDOW_MS = 15 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
/** Failures within `WINDOW_MS` per account and network. */
const PAIR_MAX = 10
/** Failures within `WINDOW_MS` per network, for all accounts. Not applied to an account known at the network. */
const NETWORK_MAX = 100
/**
 * Failures within a day per account, for all networks. On a network known to the account, only failures from known
 * networks count: strangers elsewhere cannot lock the owner out.
 */
const DAY_MAX = 100

/** Who attempts what, for the audit log and the limits. */
export type AttemptDetails = {
  actor: AuditActor
  action: string
  knownAddresses?: (trx: Transaction<Database>) => Promise<string[]>
  /** Limit of attempts at the account within an hour, from all networks, with the sentence of the refusal. */
  perHour?: { max: number; sentence: string }
}

/** An attempt, counted as a failure until `forgiveAttempts`. */
export type ReservedAttempt = Attempt & { id: number }

/**
 * The address of a refused sign-in for the audit log: as typed, but with the domain in ASCII, so that a search finds
 * all spellings. `null` for any other text, because people type passwords into the wrong field. Few passwords have a
 * dot after an "@".
 */
export function auditedEmail(typed: string): string | null {
  const { data } = emailAddress.safeParse(typed)
  if (data === undefined || foldEmail(data).split('@').at(-1)?.includes('.') !== true) return null
  return /^[ -~]*$/.test(data) ? data : foldEmail(data)
}

/**
 * An attempt for the throttle: at an account, a folded email address or a session, from an IP address. The attempts at
 * users of a tenant are counted separately: a tenant chooses the addresses that it reports, and must not refuse others.
 */
export function attemptAt(account: string, address: string, tenantId: string | null = null): Attempt {
  const scope = tenantId === null ? '' : `${tenantId} `
  return { account: accountHash(`${scope}${account}`), address: `${scope}${networkOf(address)}` }
}

/** The account in the throttle's tables. Only a hash is stored, because people type passwords into the email field. */
export function accountHash(foldedEmail: string): Buffer {
  return createHash('sha256').update(foldedEmail).digest()
}

/**
 * Counts a sign-in attempt as failed before hashing the password, so that parallel guesses cannot exceed the limit.
 * Returns the attempt, for `forgiveAttempts` after a success. Throws 429 with `Retry-After` after too many failures.
 * `knownAddresses` reads the addresses of earlier sign-ins to the account; when omitted, only failures of the open session
 * count.
 */
export async function reserveAttempt(
  { db, now }: ThrottleDeps,
  attempt: Attempt,
  { actor, action, knownAddresses, perHour }: AttemptDetails,
): Promise<ReservedAttempt> {
  const at = now()
  const reserved = await inTransaction(db, async (trx) => {
    await lockAttempts(trx, attempt)
    const is_known = knownAddresses !== undefined && isKnown(attempt, await knownAddresses(trx))
    const recent = await attemptsSince(
      trx,
      { ...attempt, is_known },
      { window: before(at, WINDOW_MS), day: before(at, DAY_MS) },
    )
    const hour = perHour && { ...perHour, ...(await attemptsAtAccount(trx, attempt.account, before(at, HOUR_MS))) }
    const isNetworkLimited = knownAddresses !== undefined && !is_known
    const refusal =
      (recent.pair.attempts >= PAIR_MAX && refusalUntil(recent.pair.oldest_at, WINDOW_MS, at)) ||
      (isNetworkLimited &&
        recent.address.attempts >= NETWORK_MAX &&
        refusalUntil(recent.address.oldest_at, WINDOW_MS, at)) ||
      (recent.account.attempts >= DAY_MAX && refusalUntil(recent.account.oldest_at, DAY_MS, at)) ||
      (hour !== undefined && hour.attempts >= hour.max && refusalUntil(hour.oldest_at, HOUR_MS, at, hour.sentence))
    if (refusal === false) return { ...attempt, id: await insertAttempt(trx, { ...attempt, at, is_known }) }
    await recordRefusal(trx, at, { actor, action, address: attempt.address, reason: refusal.message })
    return refusal
  })
  if ('id' in reserved) return reserved
  throw reserved
}

/** Deletes expired attempts. Audits the number of refusals per network for each window that has ended. */
export async function endThrottleWindows({ db, now }: ThrottleDeps): Promise<void> {
  const at = now()
  await deleteAttemptsBefore(db, before(at, DAY_MS))
  await inTransaction(db, (trx) => auditEndedWindows(trx, at))
}

/**
 * Audits the first refusal of a network at once, and the rest when the window has ended. A row per refusal would let a
 * stranger flood the audit log.
 */
async function recordRefusal(
  trx: Transaction<Database>,
  at: Date,
  { actor, action, address, reason }: { actor: AuditActor; action: string; address: string; reason: string },
): Promise<void> {
  await auditEndedWindows(trx, at)
  const refusals = await countRefusal(trx, { action, address, at })
  if (refusals === 1) await writeAudit(trx, at, actor, refusalEntry(address, action, reason))
}

async function auditEndedWindows(trx: Transaction<Database>, at: Date): Promise<void> {
  for (const { action, address, refusals } of await takeRefusalsUntil(trx, before(at, WINDOW_MS))) {
    if (refusals === 1) continue
    const reason = `Too many sign-in attempts: ${refusals} were refused within 15 minutes.`
    const actor = { id: null, email: null, address: plainNetwork(address), request_id: null }
    await writeAudit(trx, at, actor, refusalEntry(address, action, reason))
  }
}

/** Whether the account was signed in to from the network of this attempt. */
function isKnown({ address }: Attempt, knownAddresses: string[]): boolean {
  return knownAddresses.some((other) => networkOf(other) === plainNetwork(address))
}

/** Names the tenant of a refused attempt, so that the activity of the tenant shows the refusal. */
function refusalEntry(address: string, action: string, reason: string): AuditEntry {
  const tenant_id = tenantOf(address)
  const entry = { action, outcome: 'refused' as const, reason }
  return tenant_id === null ? entry : { ...entry, target: { type: 'user', id: null, name: null, tenant_id } }
}

/** The tenant in the address of an attempt at a user of a tenant. */
function tenantOf(address: string): string | null {
  return address.includes(' ') ? address.slice(0, address.indexOf(' ')) : null
}

/** The address of an attempt without the tenant. */
function plainNetwork(address: string): string {
  return address.slice(address.indexOf(' ') + 1)
}

function refusalUntil(
  oldestAt: string | null,
  windowMs: number,
  at: Date,
  sentence = 'Too many sign-in attempts.',
): AppError {
  const endsAt = oldestAt === null ? at.getTime() : Date.parse(oldestAt) + windowMs
  const ms = Math.max(1_000, endsAt - at.getTime())
  const [count, unit] = ms < 2 * HOUR_MS ? [Math.ceil(ms / MINUTE_MS), 'minute'] : [Math.ceil(ms / HOUR_MS), 'hour']
  return tooManyRequests(`${sentence} Try again in ${count} ${count === 1 ? unit : `${unit}s`}.`, Math.ceil(ms / 1_000))
}

function before(at: Date, ms: number): Date {
  return new Date(at.getTime() - ms)
}

/** Network of a subscriber: an IPv4 address, or an IPv6 /64, because a host can use all 2⁶⁴ addresses of its /64. */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  if (parsed instanceof ipaddr.IPv4) return parsed.toString()
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toNormalizedString()}/64`).toString()}/64`
}

/** Site of a network: the /48 of IPv6 or the /24 of IPv4. Null for the tenant of a portal. */
export function siteOf(network: string): string | null {
  const [address = ''] = network.split('/')
  if (!ipaddr.isValid(address)) return null
  const parsed = ipaddr.process(address)
  if (parsed instanceof ipaddr.IPv4) return ipaddr.IPv4.networkAddressFromCIDR(`${parsed.toString()}/24`).toString()
  return ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toNormalizedString()}/48`).toString()
}
