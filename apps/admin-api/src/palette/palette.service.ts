import { createHash } from 'node:crypto'
import { isWellFormedKey, KEY_PREFIX } from '@switchboard/contract/api-keys/key-format'
import type { SearchResults } from '@switchboard/contract/palette'
import { z } from 'zod'
import type { Deps } from '#src/deps.ts'
import * as queries from './palette.queries.ts'
import type { Mask } from './palette.queries.ts'

const NOTHING: SearchResults = { tenants: [], users: [], api_keys: [] }
/** A mask: prefix, optional first four characters, dots, last four characters. */
const MASK = new RegExp(`^(?:${KEY_PREFIX})?(?<start>[0-9A-Za-z]{4})?[•…*.]+(?<end>[0-9A-Za-z]{4})$`)

/** Kind of a query: an id, a secret, a masked secret, or words. */
export async function search({ db }: Pick<Deps, 'db'>, text: string): Promise<SearchResults> {
  const term = text.trim()
  if (term === '') return NOTHING
  if (z.uuid().safeParse(term).success) return await byId(db, term)
  if (isWellFormedKey(term)) return { ...NOTHING, api_keys: await bySecret(db, term) }
  const mask = maskOf(term)
  if (mask !== null) return { ...NOTHING, api_keys: await queries.apiKeysByMask(db, mask) }
  const [tenants, users, api_keys] = await Promise.all([
    queries.bestMatches(queries.searchedTenants(db), term, { isExact: queries.isExactTenant(term), hasWords: true }),
    queries.bestMatches(queries.searchedUsers(db), term, { isExact: queries.isExactUser(term), hasWords: false }),
    queries.bestMatches(queries.searchedApiKeys(db), term, { isExact: queries.isExactApiKey(term), hasWords: true }),
  ])
  return { tenants, users, api_keys }
}

async function byId(db: Deps['db'], id: string): Promise<SearchResults> {
  const [tenants, users, api_keys] = await Promise.all([
    queries.searchedTenants(db).where('id', '=', id).execute(),
    queries.searchedUsers(db).where('id', '=', id).execute(),
    queries.searchedApiKeys(db).where('id', '=', id).execute(),
  ])
  return { tenants, users, api_keys }
}

async function bySecret(db: Deps['db'], secret: string) {
  const hash = createHash('sha256').update(secret).digest()
  return await queries.searchedApiKeys(db).where('key_hash', '=', hash).execute()
}

/** `sb_live_AbCd…wXyZ` or `sb_live_••••1a2b`, with or without the prefix. */
function maskOf(term: string): Mask | null {
  const { start = null, end } = MASK.exec(term)?.groups ?? {}
  return end === undefined ? null : { start, end }
}
