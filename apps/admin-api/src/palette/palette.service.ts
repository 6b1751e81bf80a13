import { createHash } from 'node:crypto'
import { isWellFormedKey, parseKeyMask } from '@switchboard/contract/api-keys/key-format'
import { ID_BEGINNING_MIN, type Records, RESULTS_PER_KIND_MAX, type SearchResults } from '@switchboard/contract/palette'
import { hasMask } from '#src/api-keys/key-mask.queries.ts'
import type { Deps } from '#src/deps.ts'
import { findRows, type IdRange, type Term } from './best-matches.queries.ts'
import * as queries from './palette.queries.ts'

const NOTHING: SearchResults = {
  tenants: [],
  notes: [],
  users: [],
  api_keys: [],
  tasks: [],
  places: [],
  counts: {},
}
const WHOLE_ID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i
const LOWEST_ID = '00000000-0000-0000-0000-000000000000'

/** Finds records by an id or its beginning, a secret or its beginning, a mask, or words. */
export async function search({ db }: Pick<Deps, 'db'>, typed: string): Promise<SearchResults> {
  const text = typed.trim()
  if (text === '') return NOTHING
  if (isWellFormedKey(text)) return onlyApiKeys(await bySecret(db, text))
  const mask = parseKeyMask(text)
  if (mask !== null) {
    const keys = queries.searchedApiKeys(db).where(hasMask(mask)).limit(RESULTS_PER_KIND_MAX)
    return onlyApiKeys(await keys.execute())
  }
  return await byTerm(db, { text, ids: idsBeginningWith(text), isByText: !WHOLE_ID.test(text) })
}

/** Records of every kind by their ids. */
export async function readRecords({ db }: Pick<Deps, 'db'>, ids: readonly string[]): Promise<Records> {
  const isWanted = queries.hasId(ids)
  const [tenants, notes, users, api_keys, tasks] = await Promise.all([
    queries.searchedTenants(db).where(isWanted).execute(),
    queries.searchedNotes(db).where(isWanted).execute(),
    queries.searchedUsers(db).where(isWanted).execute(),
    queries.searchedApiKeys(db).where(isWanted).execute(),
    queries.searchedTasks(db).where(isWanted).execute(),
  ])
  return { tenants, notes, users, api_keys, tasks }
}

async function byTerm(db: Deps['db'], term: Term): Promise<SearchResults> {
  const { text } = term
  const ofRun = term.isByText ? undefined : await queries.taskOfRun(db, text)
  const ofTasks = ofRun === undefined ? term : { ...term, ids: { from: ofRun, to: ofRun } }
  const [tenants, notes, users, api_keys, tasks, places] = await Promise.all([
    findRows(queries.searchedTenants(db), term, { isExact: queries.isExactTenant(text), hasWords: true }),
    findRows(queries.searchedNotes(db), term, { isExact: queries.isExactNote(text), hasWords: true }),
    findRows(queries.searchedUsers(db), term, { isExact: queries.isExactUser(text), hasWords: false }),
    findRows(queries.searchedApiKeys(db), term, { isExact: queries.isExactApiKey(text), hasWords: true }),
    findRows(queries.searchedTasks(db), ofTasks, { isExact: queries.isExactTask(text), hasWords: true }),
    // The id of a place is not a UUID.
    findRows(
      queries.searchedPlaces(db),
      { ...term, ids: null },
      { isExact: queries.isExactPlace(text), hasWords: true },
    ),
  ])
  return {
    tenants: tenants.rows,
    notes: notes.rows,
    users: users.rows,
    api_keys: api_keys.rows,
    tasks: tasks.rows,
    places: places.rows,
    counts: {
      tenants: tenants.count,
      notes: notes.count,
      users: users.count,
      api_keys: api_keys.count,
      tasks: tasks.count,
      places: places.count,
    },
  }
}

function onlyApiKeys(keys: SearchResults['api_keys']): SearchResults {
  return { ...NOTHING, api_keys: keys, counts: { ...NOTHING.counts, api_keys: String(keys.length) } }
}

/** All ids that begin with a text of at least eight characters; null for any other text. */
function idsBeginningWith(text: string): IdRange | null {
  if (text.length < ID_BEGINNING_MIN) return null
  const from = text + LOWEST_ID.slice(text.length)
  return WHOLE_ID.test(from) ? { from, to: text + LOWEST_ID.replaceAll('0', 'f').slice(text.length) } : null
}

async function bySecret(db: Deps['db'], secret: string) {
  const hash = createHash('sha256').update(secret).digest()
  return await queries.searchedApiKeys(db).where('key_hash', '=', hash).execute()
}
