import * as z from 'zod/mini'
import { auditTargetType } from '#src/activity.ts'
import type { AuditOutcome } from '#src/activity/audit-outcome.ts'
import { moment } from '#src/wire/text.ts'

/** What an event type says, and the entries of the audit log that are such events. */
type EventDescription = {
  /** Actions of the entries. */
  actions: readonly string[]
  /** Only entries with such changes. Missing: all of them. */
  when?: (changes: Changes) => boolean
  /** What happened, as a sentence. */
  description: string
}

type Changes = Record<string, { before?: unknown; after?: unknown }>

/** Whether a field changed to this value. */
function became(field: string, value: unknown) {
  return ({ [field]: change }: Changes) => change !== undefined && change.after === value && change.before !== value
}

/** Every event type. An entry is an event of the first type that takes it. */
const EVENTS = {
  'tenant.created': { actions: ['tenants.create', 'tenants.import'], description: 'A tenant was created.' },
  'tenant.suspended': {
    actions: ['tenants.update', 'tenants.bulk'],
    when: became('status', 'inactive'),
    description: 'A tenant was suspended: its keys are refused and its tasks do not run.',
  },
  'tenant.reactivated': {
    actions: ['tenants.update', 'tenants.bulk'],
    when: became('status', 'active'),
    description: 'A tenant was reactivated.',
  },
  'tenant.updated': { actions: ['tenants.update', 'tenants.bulk'], description: 'A tenant was changed.' },
  'tenant.deleted': { actions: ['tenants.delete'], description: 'A tenant was deleted. It can be restored.' },
  'tenant.restored': { actions: ['tenants.restore'], description: 'A deleted tenant was restored.' },
  'tenant.purged': { actions: ['tenants.purge'], description: 'A deleted tenant was deleted permanently.' },
} as const satisfies Record<string, EventDescription>

/** The name of an event type: `noun.past_verb`. */
export const eventType = z.enum(Object.keys(EVENTS) as [EventType, ...EventType[]])
export type EventType = keyof typeof EVENTS

/** Something that happened: an entry of the audit log that has an event type. */
export const event = z.object({
  /** Id of the event: `evt_` and its position in the log. */
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
    }),
  ),
})
export type Event = z.infer<typeof event>

/** An entry of the audit log, as far as an event tells of it. */
type LoggedEntry = {
  seq: number
  at: Date
  actor_id: string | null
  actor_email: string | null
  action: string
  outcome: AuditOutcome
  reason: string | null
  target_type: Event['target']['type']
  target_id: string | null
  target_name: string | null
  tenant_id: string | null
  changes: Changes
}

/** The event of an entry. Null for an entry that is none: a refusal, or an action that nobody outside follows. */
export function eventOf(entry: LoggedEntry): Event | null {
  if (entry.outcome === 'refused') return null
  const type = typeOf(entry)
  if (type === null) return null
  const { seq, at, reason, tenant_id } = entry
  return {
    id: `evt_${seq}`,
    type,
    at: at.toISOString(),
    seq,
    actor: { id: entry.actor_id, name: entry.actor_email },
    target: { type: entry.target_type, id: entry.target_id, name: entry.target_name },
    tenant_id,
    reason,
    changes: Object.fromEntries(
      Object.entries(entry.changes).map(([field, { before, after }]) => [field, { before, after }]),
    ),
  }
}

function typeOf({ action, changes }: LoggedEntry): EventType | null {
  const types: [string, EventDescription][] = Object.entries(EVENTS)
  const found = types.find(([, { actions, when }]) => actions.includes(action) && (when?.(changes) ?? true))
  return (found?.[0] as EventType | undefined) ?? null
}
