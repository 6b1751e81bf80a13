import type { KeyMask } from '@switchboard/contract/api-keys/key-format'
import { type RawBuilder, sql, type SqlBool } from 'kysely'
import { contains } from '#src/lists/filters.queries.ts'

/** For rows of `api_keys`: whether a mask is that of the secret or of the id. */
export function hasMask(mask: KeyMask): RawBuilder<SqlBool> {
  const { start, end } = mask
  if ('environment' in mask) {
    const isOfEnvironment = sql<SqlBool>`api_keys.environment = ${mask.environment}`
    if (mask.start === '') return isOfEnvironment
    // The index of the search finds the few keys with these letters in any case.
    return sql`(${isOfEnvironment} and ${contains(mask.start)} and starts_with(api_keys.key_start, ${mask.start}))`
  }
  if (start !== null) return sql`(api_keys.key_last4 = ${end} and api_keys.key_start = ${start})`
  return sql`(api_keys.key_last4 = ${end} or "right"(api_keys.id::text, 4) = ${mask.end.toLowerCase()})`
}
