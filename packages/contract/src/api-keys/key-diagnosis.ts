import * as z from 'zod/mini'
import { API_KEYS_URL } from '#src/api-keys.ts'
import { endpoint } from '#src/wire/endpoint.ts'
import { moment } from '#src/wire/text.ts'
import { keyCalls } from './key-calls.ts'
import { apiKeyRow } from './key-list.ts'

/** Maximum number of refused origins kept for a key: the newest and the most frequent. */
export const REFUSED_ORIGINS_MAX = 20
/** Refused origins are deleted so many days after their last call. */
export const REFUSED_ORIGINS_KEPT_DAYS = 30

/** An origin that the key does not allow. Null: the call named no readable origin. */
const refusedOrigin = z.object({
  /** The origin. Null: the call named no readable origin. */
  origin: z.nullable(z.string()),
  /** Number of refused calls, at least. */
  count: z.int(),
  /** The last of these calls. */
  last_at: moment,
})
export type RefusedOrigin = z.infer<typeof refusedOrigin>

/** The explanation of the refused calls of a key. */
export const keyDiagnosis = z.extend(keyCalls, {
  /** The key. */
  key: apiKeyRow,
  /** When the key's present state began to refuse calls. Null for a working key, or when unknown. */
  refused_since: z.nullable(moment),
  /** Refused origins, newest first. A count is a lower bound: a flood of made-up origins hides some calls. */
  refused_origins: z.array(refusedOrigin).check(z.maxLength(REFUSED_ORIGINS_MAX)),
})
export type KeyDiagnosis = z.infer<typeof keyDiagnosis>

/** A key with its calls by hour, day and outcome, and the origins that it refused, at most ten seconds late. */
export const getApiKeyDiagnosis = endpoint('GET', `${API_KEYS_URL}/:key_id/diagnosis`, {
  config: { capability: 'view' },
  operationId: 'api_keys.diagnosis',
  summary: 'Explain the refused calls of an API key',
  tags: ['API keys'],
  params: z.strictObject({
    /** Id of the key. */
    key_id: z.uuid(),
  }),
  response: { 200: keyDiagnosis },
})
