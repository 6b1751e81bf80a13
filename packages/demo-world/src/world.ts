import type { Country } from '@switchboard/contract/places/countries'
import type { Insertable } from 'kysely'
import type { Database } from '@switchboard/database/tables'
import { type Colleague, type DemoEvent, planStaff } from './staff.ts'

export type DemoTenant = {
  row: Insertable<Database['tenants']> & { id: string; version: number }
  /** All times in ms. */
  createdAt: number
  inactiveSince: number | null
  /** Domain of the tenant's mail and site. */
  domain: string
  city: string
  country: Country
  time_zone: string
}

type PlannedTable =
  | 'users'
  | 'api_keys'
  | 'api_key_calls'
  | 'api_key_refused_origins'
  | 'tasks'
  | 'runs'
  | 'reviews'
  | 'place_ratings'
  | 'prompt_versions'

/** The demo world under construction. */
export type World = {
  /** The present (ms). */
  now: number
  staff: readonly Colleague[]
  tenants: DemoTenant[]
  rows: { [Table in PlannedTable]: Insertable<Database[Table]>[] }
  /** Keys to delete once they are stored: they can be restored for 30 days. */
  deletedKeys: { id: string; at: Date }[]
  events: DemoEvent[]
}

/** A world with nothing but its super admins. */
export function emptyWorld(first: { id: string; email: string; created_at: string }, now: number): World {
  return {
    now,
    staff: planStaff(first, now),
    tenants: [],
    rows: {
      users: [],
      api_keys: [],
      api_key_calls: [],
      api_key_refused_origins: [],
      tasks: [],
      runs: [],
      reviews: [],
      place_ratings: [],
      prompt_versions: [],
    },
    deletedKeys: [],
    events: [],
  }
}
