import * as z from 'zod/mini'
import { apiKey } from './api-keys.ts'
import { endpoint } from '#src/wire/endpoint.ts'
import { SEARCH_MAX } from '#src/wire/lists.ts'
import { task } from './tasks.ts'
import { tenant } from './tenants.ts'
import { tenantNote } from './tenants/tenant-notes.ts'
import { searchText } from '#src/wire/text.ts'
import { user } from './users.ts'

/** Maximum number of records per kind in the results of a search. */
export const RESULTS_PER_KIND_MAX = 5
/** Matches of a kind are counted up to this number. */
export const RESULTS_COUNTED_MAX = 20
/** Shortest beginning of an id that finds its record: the length that the screens show. */
export const ID_BEGINNING_MIN = 8
/** Number of records and commands that the palette remembers on a device. */
export const RECENT_MAX = 8

/** A tenant in the results. */
export const tenantResult = z.pick(tenant, { id: true, name: true, subdomain: true, status: true })
export type TenantResult = z.infer<typeof tenantResult>

/** A note in the results, with its tenant. */
export const noteResult = z.extend(
  z.pick(tenantNote, { id: true, tenant_id: true, text: true, author_email: true, created_at: true }),
  {
    /** Name of the tenant. */
    tenant_name: z.string(),
  },
)
export type NoteResult = z.infer<typeof noteResult>

/** A user in the results. Without a tenant, the user is a member of the team. */
export const userResult = z.pick(user, {
  id: true,
  email: true,
  name: true,
  role: true,
  tenant_name: true,
  tenant_status: true,
  is_active: true,
})
export type UserResult = z.infer<typeof userResult>

/** A key in the results, with its tenant. */
export const apiKeyResult = z.pick(apiKey, {
  id: true,
  tenant_id: true,
  tenant_name: true,
  tenant_subdomain: true,
  tenant_status: true,
  name: true,
  key_prefix: true,
  key_start: true,
  key_last4: true,
  is_active: true,
  expires_at: true,
  grace_ends_at: true,
  revoked_at: true,
})
export type ApiKeyResult = z.infer<typeof apiKeyResult>

/** A task in the results, with its place in `extra_data`. */
export const taskResult = z.pick(task, {
  id: true,
  tenant_name: true,
  tenant_status: true,
  extra_data: true,
  is_paused: true,
  next_run: true,
  last_outcome: true,
  running_run_id: true,
  waiting_since: true,
  retry_at: true,
})
export type TaskResult = z.infer<typeof taskResult>

/** A place of tasks in the results. `id` is the place id of Google Maps. */
export const placeResult = z.object({
  /** Google's id of the place. */
  id: z.string(),
  /** Name of the place, if known. */
  name: z.nullable(z.string()),
  /** Address of the place, if known. */
  address: z.nullable(z.string()),
  /** Number of tasks for the place. */
  task_count: z.int(),
})
export type PlaceResult = z.infer<typeof placeResult>

/** The kinds of records with an id, each with at most `max` records. */
const recordsById = (max: number) => ({
  /** Tenants, the best match first. */
  tenants: z.array(tenantResult).check(z.maxLength(max)),
  /** Notes on tenants, the best match first. */
  notes: z.array(noteResult).check(z.maxLength(max)),
  /** Users, the best match first. */
  users: z.array(userResult).check(z.maxLength(max)),
  /** API keys, the best match first. */
  api_keys: z.array(apiKeyResult).check(z.maxLength(max)),
  /** Tasks, the best match first. */
  tasks: z.array(taskResult).check(z.maxLength(max)),
})

const found = {
  ...recordsById(RESULTS_PER_KIND_MAX),
  /** Places of tasks, the best match first. */
  places: z.array(placeResult).check(z.maxLength(RESULTS_PER_KIND_MAX)),
}

/** The kinds of records in the results, in the order on screen. */
export const resultKind = z.enum([
  'tenants',
  'notes',
  'users',
  'api_keys',
  'tasks',
  'places',
] as const satisfies (keyof typeof found)[])
export type ResultKind = z.infer<typeof resultKind>

/** A search term: words, an address, an id or its beginning, a mask or a secret. */
export const searchBody = z.strictObject({
  /** What to search for. */
  q: searchText(SEARCH_MAX),
})

/** The best matches of each kind, and the number of its matches: "3", or "20+" for more than 20. */
export const searchResults = z.object({
  ...found,
  /** Number of matches by kind: "3", or "20+" for more than 20. */
  counts: z.partialRecord(resultKind, z.string()),
})
export type SearchResults = z.infer<typeof searchResults>

/** Records by their ids, of every kind with ids. An unknown id has no record. */
export const records = z.object(recordsById(RECENT_MAX))
export type Records = z.infer<typeof records>

const url = '/api/v1/admin/search'
const tags = ['Search']

/**
 * Finds tenants by name and subdomain, notes by their text, users by name and email address, keys by name, mask and secret or
 * its beginning, tasks by tenant and place, and places by name and place id. An id, or its first eight characters or more,
 * finds its record, and the id of a run its task. Best matches first. A POST, because a pasted secret must not appear in a
 * URL.
 */
export const search = endpoint('POST', url, {
  config: { capability: 'view', reads: true },
  operationId: 'search.all',
  summary: 'Find records',
  tags,
  body: searchBody,
  response: { 200: searchResults },
})

/** Reads records by their ids, for the records used last. A POST, because it belongs to the search. */
export const readRecords = endpoint('POST', `${url}/records`, {
  config: { capability: 'view', reads: true },
  operationId: 'search.records',
  summary: 'Read records by their ids',
  tags,
  body: z.strictObject({
    /** Ids of the records, at most eight. */
    ids: z.array(z.uuid()).check(z.maxLength(RECENT_MAX)),
  }),
  response: { 200: records },
})
