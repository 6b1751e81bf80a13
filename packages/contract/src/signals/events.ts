import * as z from 'zod/mini'
import { auditTargetType } from '#src/activity.ts'
import { ALERT_EVENTS } from '#src/signals/events/alert-events.ts'
import { API_KEY_EVENTS } from '#src/signals/events/api-key-events.ts'
import type { EventDescription, LoggedEntry } from '#src/signals/events/event-description.ts'
import { MEMBER_EVENTS } from '#src/signals/events/member-events.ts'
import { PROMPT_EVENTS } from '#src/signals/events/prompt-events.ts'
import { SYSTEM_EVENTS } from '#src/signals/events/system-events.ts'
import { TASK_EVENTS } from '#src/signals/events/task-events.ts'
import { TENANT_EVENTS } from '#src/signals/events/tenant-events.ts'
import { USER_EVENTS } from '#src/signals/events/user-events.ts'
import { WEBHOOK_EVENTS } from '#src/signals/events/webhook-events.ts'
import { endpoint } from '#src/wire/endpoint.ts'
import { anyOf } from '#src/wire/lists.ts'
import { moment } from '#src/wire/text.ts'
import { wholeNumber } from '#src/wire/whole-number.ts'

const EVENTS = {
  ...TENANT_EVENTS,
  ...USER_EVENTS,
  ...API_KEY_EVENTS,
  ...TASK_EVENTS,
  ...PROMPT_EVENTS,
  ...MEMBER_EVENTS,
  ...SYSTEM_EVENTS,
  ...ALERT_EVENTS,
  ...WEBHOOK_EVENTS,
}

/** The name of an event type: `noun.past_verb`. */
export const eventType = z.enum(Object.keys(EVENTS).filter(isEventType))
export type EventType = keyof typeof EVENTS

function isEventType(name: string): name is EventType {
  return name in EVENTS
}

/** Every event type with its description. An entry of the audit log is an event of the first type that takes it. */
export const EVENT_TYPES: Readonly<Record<EventType, EventDescription>> = EVENTS

/** Longest value in an event, as JSON. A longer one is left out, so that an event has at most a few kilobytes. */
export const EVENT_VALUE_MAX = 256

/**
 * Something that happened: an entry of the audit log that has an event type.
 * @example {"id":"evt_4711_mwoxfuo0","type":"tenant.suspended","at":"2026-11-20T12:00:00.000Z","seq":4711,"actor":{"id":"1e2f434d-6a9c-4d8e-8f6a-5b4c3d5b0c7a","name":"ada@example.com"},"target":{"type":"tenant","id":"5b0c7a1e-2f43-4d6a-9c1d-8e7f6a5b4c3d","name":"Example Bakery"},"tenant_id":"5b0c7a1e-2f43-4d6a-9c1d-8e7f6a5b4c3d","reason":"Unpaid invoice","changes":{"status":{"before":"active","after":"inactive"}}}
 */
export const event = z.object({
  /** Id of the event. After a restore of an older backup, no new event has the id of one from before. */
  id: z.string(),
  type: eventType,
  /** When it happened. */
  at: moment,
  /** Position in the audit log: later events have greater ones. */
  seq: z.int(),
  /** Who did it. */
  actor: z.object({
    /** Id of the person or the service token. Null for the system. */
    id: z.nullable(z.uuid()),
    /** Address of the person, name of the token, or what part of the system it was. */
    name: z.nullable(z.string()),
  }),
  /** The record that it is about. */
  target: z.object({
    /** Type of the record. */
    type: z.nullable(auditTargetType),
    /** Id of the record. */
    id: z.nullable(z.uuid()),
    /** Name of the record at that time. */
    name: z.nullable(z.string()),
  }),
  /** Id of the tenant of the record. Null without a tenant. */
  tenant_id: z.nullable(z.uuid()),
  /** The reason that was given, or that the system had. */
  reason: z.nullable(z.string()),
  /** The changed fields by name, without secrets. */
  changes: z.record(
    z.string(),
    z.object({
      /** The value before the change. */
      before: z.unknown(),
      /** The value after the change. */
      after: z.unknown(),
      /** Present for a value that the event leaves out because it is long or private: both values are null. */
      is_omitted: z.optional(z.literal(true)),
    }),
  ),
})
export type Event = z.infer<typeof event>

/** Number of events on a page: at most, and by default. */
export const EVENTS_MAX = 200
export const EVENTS_DEFAULT = 100

/**
 * The events after a position, oldest first.
 * @example {"events":[],"next":4711,"end":4711}
 */
export const eventPage = z.object({
  /** The events, oldest first. Empty if none of the entries that were read is one. */
  events: z.array(event),
  /** The position to go on from, as `after` of the next call. */
  next: z.int(),
  /** Position of the last entry of the log. Everything was read once `next` reaches it. */
  end: z.int(),
})
export type EventPage = z.infer<typeof eventPage>

/**
 * The events after a position in the audit log, oldest first, for a program that prefers to ask. An event appears within
 * a second or two. Their order never changes, and no event comes in between later: keep `next` and call again with it.
 */
export const listEvents = endpoint('GET', '/api/v1/admin/events', {
  config: { capability: 'view' },
  operationId: 'events.list',
  summary: 'Read events',
  tags: ['Events'],
  querystring: z.strictObject({
    /** Only events after this position. Missing: from the oldest one on. */
    after: z.optional(wholeNumber(0, Number.MAX_SAFE_INTEGER)),
    /** Most events of the answer, by default 100. */
    limit: z.optional(wholeNumber(1, EVENTS_MAX)),
    /** Only events of these types. */
    type: anyOf(eventType),
  }),
  response: { 200: eventPage },
})

/** The event of an entry. Null for an entry that is none: a refusal, or an action that nobody outside follows. */
export function eventOf(entry: LoggedEntry): Event | null {
  if (entry.outcome === 'refused') return null
  const type = typeOf(entry)
  if (type === null) return null
  const { seq, at, reason, tenant_id } = entry
  const fields = EVENT_TYPES[type].fields ?? {}
  const changes = Object.entries(entry.changes).map(([field, { before = null, after = null }]) => {
    const isShown = field in fields && [before, after].every((value) => JSON.stringify(value).length <= EVENT_VALUE_MAX)
    return [field, isShown ? { before, after } : { before: null, after: null, is_omitted: true as const }] as const
  })
  return {
    // After a restore of an older backup, positions come again. With the time, receivers do not take a new event for an old one.
    id: `evt_${seq}_${Date.parse(at).toString(36)}`,
    type,
    at,
    seq,
    actor: { id: entry.actor_id, name: entry.actor_email },
    target: { type: entry.target_type, id: entry.target_id, name: entry.target_name },
    tenant_id,
    reason,
    changes: Object.fromEntries(changes),
  }
}

/** The actions whose entries can be events of these types. */
export function actionsOf(types: readonly EventType[]): string[] {
  return [...new Set(types.flatMap((type) => EVENT_TYPES[type].actions))]
}

function typeOf(entry: LoggedEntry): EventType | null {
  const found = eventType.options.find((type) => {
    const { actions, when } = EVENT_TYPES[type]
    return actions.includes(entry.action) && (when?.(entry) ?? true)
  })
  return found ?? null
}
