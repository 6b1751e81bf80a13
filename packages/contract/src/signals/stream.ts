import * as z from 'zod/mini'
import { auditRow } from '#src/activity.ts'
import { endpoint } from '#src/wire/endpoint.ts'
import { wholeNumber } from '#src/wire/whole-number.ts'

/** The media type of server-sent events. */
const EVENT_STREAM = 'text/event-stream'

/**
 * Streams that one session or service token may have open at once. A browser opens six connections to a server over HTTP/1.1 for
 * all its tabs, so two are left for calls.
 */
export const STREAMS_PER_SESSION_MAX = 4

/** More entries at once, or more missed ones, are one `reset`: a reader then reads its records once, whatever has changed. */
export const STREAM_GAP_MAX = 500

/** Rows that change without an entry of the audit log: runs of tasks, and deliveries of webhooks. */
export const MOVED_KINDS = ['runs', 'deliveries'] as const
export type MovedKind = (typeof MOVED_KINDS)[number]

/** The kinds of rows that have begun or ended. Which ones is in the lists. */
export const streamMoved = z.object({ kinds: z.array(z.enum(MOVED_KINDS)) })

/** An entry of the audit log in the stream: who did what to which record. What changed is in the record itself. */
export const streamedEntry = z.extend(
  z.pick(auditRow, {
    seq: true,
    at: true,
    actor_id: true,
    actor_email: true,
    actor_name: true,
    action: true,
    outcome: true,
    target_type: true,
    target_id: true,
    target_name: true,
    tenant_id: true,
    request_id: true,
  }),
  {
    /**
     * Version of the record when the entry was read: a copy with a lower one is outdated. Null if the record has no version or is
     * deleted. A new password of a user, for example, leaves the version as it is.
     */
    version: z.nullable(z.int()),
  },
)
export type StreamedEntry = z.infer<typeof streamedEntry>

/** Why the server ended a stream. A reader opens the next one from its position; `session_ended` answers it with 401. */
export const streamEnd = z.object({
  reason: z.enum(['session_ended', 'role_changed', 'too_slow', 'stopping']),
})
export type StreamEndReason = z.infer<typeof streamEnd>['reason']

/** Streams the audit log while it grows. Console and programs follow changes with it instead of polling. */
export const streamEvents = endpoint('GET', '/api/v1/admin/events/stream', {
  config: { capability: 'view', limit: 'stream' },
  operationId: 'events.stream',
  summary: 'Follow the audit log as server-sent events',
  description:
    'Sends every new entry of the audit log within a second as an event `entry`, whose data is an `AuditRow` without ' +
    'changes, address and reason, and whose id is its position. The stream begins with an event `open`. With a position, ' +
    'in `Last-Event-ID` or `after`, it continues there; without one, it begins with the entries of the last ten seconds. ' +
    `An event \`reset\` takes the place of more than ${STREAM_GAP_MAX} entries: read the records again. An event \`moved\` names ` +
    'the `kinds` of rows that have begun or ended without an entry, `runs` or `deliveries`; a stream that continues begins with one. ' +
    'An event ' +
    '`end` names the `reason` of the server: `session_ended`, `role_changed`, `too_slow` or `stopping`; open the next stream ' +
    'after the time in `retry`. Comments keep the connection alive.',
  tags: ['Activity'],
  produces: [EVENT_STREAM],
  querystring: z.strictObject({
    /** Position of the last entry that the reader has, as `Last-Event-ID`. */
    after: z.optional(wholeNumber(0, Number.MAX_SAFE_INTEGER)),
  }),
  headers: z.object({
    /** The media type of server-sent events. A program that does not expect a stream would wait forever. */
    accept: z.string().check(z.regex(/text\/event-stream/, 'Accept has to be text/event-stream.')),
    /** Position of the last entry that the reader has. */
    'last-event-id': z.optional(wholeNumber(0, Number.MAX_SAFE_INTEGER)),
  }),
  response: { 200: z.string() },
})
