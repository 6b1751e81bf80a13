import { eventOf, EVENT_TYPES } from '@switchboard/contract/signals/events'
import type { Database } from '@switchboard/database/tables'
import type { Selectable } from 'kysely'
import { expect } from 'vitest'
import * as z from 'zod/mini'

/** Changed fields whose values no event has. The address of a webhook may contain a secret. */
const PRIVATE = ['note', 'password', 'secret', 'url']

/** The event of an entry says what its type describes: every value is in the schema, and every other field private. */
export function refuseUndescribed(entry: Selectable<Database['audit_entries']>): void {
  const event = eventOf(entry)
  if (event === null) return
  const { fields = {}, subjects } = EVENT_TYPES[event.type]
  expect(subjects).toContain(entry.target_type)
  for (const [field, change] of Object.entries(entry.changes)) {
    const schema = fields[field]
    if (schema === undefined) expect(PRIVATE, `${event.type} has ${field} without a schema`).toContain(field)
    else z.parse(z.object({ before: z.nullish(schema), after: z.nullish(schema) }), change)
  }
}
