/** Header of a POST that must take effect once: a key of visible ASCII, chosen by the caller. */
export const IDEMPOTENCY_KEY_HEADER = 'idempotency-key'
export const IDEMPOTENCY_KEY_MAX = 200
/** Hours for which the answer to a key is kept. */
export const IDEMPOTENCY_HOURS = 24
/** Maximum size of the answers stored for the keys of one caller, in bytes, per process of admin-api. */
export const IDEMPOTENCY_BYTES_MAX = 100_000_000
/** Header of an answer that was kept from an earlier call with the same key. */
export const IDEMPOTENT_REPLAYED_HEADER = 'idempotent-replayed'

/** Whether an endpoint takes an `Idempotency-Key`: every POST with a caller that changes something and answers JSON. */
export function takesIdempotencyKey({
  method,
  config = {},
  produces,
}: {
  method: string | string[]
  config?: { public?: boolean; apiKey?: boolean; reads?: boolean } | undefined
  produces?: unknown
}): boolean {
  const hasCaller = config.public !== true && config.apiKey !== true
  return method === 'POST' && hasCaller && config.reads !== true && produces === undefined
}
