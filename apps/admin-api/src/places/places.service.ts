import { inTransaction } from '@switchboard/database/in-transaction'
import * as contract from '@switchboard/contract/places'
import {
  type GeneratedPlaceId,
  PLACE_LOOKUPS_PER_HOUR,
  type PlaceCandidate,
  type PlaceQuery,
} from '@switchboard/contract/places'
import { type AuditEntry, changedFields, writeAudit } from '@switchboard/database/audit/audit.queries'
import { PlacesError } from '@switchboard/places/places-error'
import { AppError, tooManyRequests } from '@switchboard/server/http/errors'
import type { Actor } from '#src/auth/sessions/sessions.service.ts'
import type { Deps } from '#src/deps.ts'
import { deleteLookupsUntil, insertLookup, lockLookups, lookupsOf } from './places.queries.ts'

const ACTION = contract.generatePlaceId.schema.operationId
const HOUR_MS = 60 * 60 * 1_000
const NO_MATCH = 'No matching place on Google Maps. Check the spelling, or try it without the state.'

/**
 * Looks a business up at Google Maps. Throws 429 with `Retry-After` after too many look-ups in an hour, 502 when Google
 * refuses, 503 with `Retry-After` when Google may answer later. Stores only the place id, in the audit log.
 */
export async function generatePlaceId(deps: Deps, actor: Actor, query: PlaceQuery): Promise<GeneratedPlaceId> {
  await reserveLookup(deps, actor)
  const found = await search(deps, actor, query)
  const place = found.candidates.find(isOpen) ?? found.candidates[0]
  await audit(deps, actor, {
    changes: changedFields<Lookup>({ query: null, place_id: null }, { query: found.query, place_id: place?.place_id }),
  })
  if (place === undefined) return { success: false, message: NO_MATCH, data: null }
  const count = found.candidates.length
  const message = count === 1 ? '1 matching place on Google Maps.' : `${count} matching places on Google Maps.`
  return { success: true, message, data: { place_id: place.place_id, ...found } }
}

/** Audited parts of a look-up. */
type Lookup = { query: string | null; place_id: string | null }

/** Counted before the call to Google, so that parallel look-ups cannot exceed the limit. */
async function reserveLookup(deps: Deps, actor: Actor): Promise<void> {
  const at = deps.now()
  const refusal = await inTransaction(deps.db, async (trx) => {
    await lockLookups(trx, actor.admin.id)
    await deleteLookupsUntil(trx, actor.admin.id, new Date(at.getTime() - HOUR_MS))
    const { count, oldest_at } = await lookupsOf(trx, actor.admin.id)
    if (count < PLACE_LOOKUPS_PER_HOUR) return await insertLookup(trx, actor.admin.id, at)
    const tooMany = refusalUntil(Date.parse(oldest_at ?? '') + HOUR_MS - at.getTime())
    await writeAudit(trx, at, actor, { action: ACTION, outcome: 'refused', reason: tooMany.message })
    return tooMany
  })
  if (refusal !== undefined) throw refusal
}

function refusalUntil(ms: number): AppError {
  const minutes = Math.ceil(ms / 60_000)
  return tooManyRequests(
    `You may look up ${PLACE_LOOKUPS_PER_HOUR} places an hour. Try again in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}.`,
    Math.ceil(ms / 1_000),
  )
}

async function search(deps: Deps, actor: Actor, query: PlaceQuery) {
  try {
    return await deps.places.searchPlaces(query)
  } catch (error) {
    if (!(error instanceof PlacesError)) throw error
    deps.log.warn({ req_id: actor.request_id, reason: error.message }, 'a place could not be looked up')
    await audit(deps, actor, { outcome: 'refused', reason: error.sentence })
    throw refusalOf(error)
  }
}

function refusalOf({ kind, sentence, retryAfterMs }: PlacesError): AppError {
  const headers = retryAfterMs === undefined ? {} : { 'retry-after': String(Math.ceil(retryAfterMs / 1_000)) }
  const isRetryable = kind === 'transient' || kind === 'later'
  return new AppError(isRetryable ? 503 : 502, sentence, { headers })
}

async function audit({ db, now }: Deps, actor: Actor, entry: Omit<AuditEntry, 'action'>): Promise<void> {
  await inTransaction(db, (trx) => writeAudit(trx, now(), actor, { action: ACTION, ...entry }))
}

function isOpen({ business_status }: PlaceCandidate): boolean {
  return business_status === 'OPERATIONAL'
}
