import {
  actionsOf,
  type EventPage,
  EVENTS_DEFAULT,
  eventOf,
  eventType,
  type EventType,
} from '@switchboard/contract/signals/events'
import { conflict } from '@switchboard/server/http/errors'
import type { Deps } from '#src/deps.ts'
import { boundsOfLog, doneEntries } from './events.queries.ts'

/** Entries of the log that one call reads. With a rare type, a page ends there without an event. */
const READ_MAX = 5_000

type Query = { after?: number | undefined; limit?: number | undefined; type?: EventType[] | undefined }

/** The events after a position, and the position to go on from. Throws 409 for a position after the end of the log. */
export async function eventsAfter(
  { db }: Pick<Deps, 'db'>,
  { after = 0, limit = EVENTS_DEFAULT, type: types = eventType.options }: Query,
): Promise<EventPage> {
  const { start, end } = await boundsOfLog(db)
  // The program would otherwise wait for this position, and miss what happens until then.
  if (after > end)
    throw conflict(`The log ends at ${end}. The database was restored from an older backup: go on from there.`)
  const from = Math.max(after, start)
  const last = Math.min(from + READ_MAX, end)
  const entries = await doneEntries(db, { after: from, last, actions: actionsOf(types), limit })
  const events = entries.flatMap((entry) => {
    const event = eventOf(entry)
    return event !== null && types.includes(event.type) ? [event] : []
  })
  return { events, next: entries.length < limit ? last : (entries.at(-1)?.seq ?? last), end }
}
