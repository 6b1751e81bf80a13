import { SYSTEM_ACTIONS, WORKER_ACTOR } from '#src/activity.ts'
import { type Event, EVENT_TYPES, eventOf, type EventType } from '#src/signals/events.ts'

const ID = '7d3f4c1a-0b52-4a1e-9c38-5e6f7a8b9c0d'
const TENANT_ID = '5b0c7a1e-2f43-4d6a-9c1d-8e7f6a5b4c3d'
/** Names of records by the nouns of event types. */
const NAMES: Readonly<Record<string, string>> = {
  tenant: 'Example Bakery',
  tenant_note: 'Example Bakery',
  user: 'jo@example.com',
  api_key: 'Production',
  task: 'Example Bakery, 1 Harbor Street for Example Bakery',
  prompt: 'general',
  member: 'ada@example.com',
  session: 'ada@example.com',
  second_factor: 'ada@example.com',
  token: 'Billing',
  log_sink: 'Vault',
}
/** The nouns whose records belong to a tenant. */
const OF_TENANTS = ['tenant', 'tenant_note', 'user', 'api_key', 'task']
const OF_SYSTEM = new Set<string>(SYSTEM_ACTIONS)

/** An event of a type with invented values, in the form in which programs receive it. */
export function exampleOf(type: EventType): Event {
  const { actions, example, ...about } = EVENT_TYPES[type]
  const [subject] = about.subjects
  const [noun = ''] = type.split('.', 1)
  const [action = ''] = actions
  const isOfSystem = OF_SYSTEM.has(action)
  const tenant_id = OF_TENANTS.includes(noun) ? TENANT_ID : null
  const changes = Object.entries(example.changes ?? {}).map(([field, [before, after]]) => [field, { before, after }])
  const event = eventOf({
    seq: 4711,
    at: '2026-11-20T12:00:00.000Z',
    actor_id: isOfSystem ? null : '1e2f434d-6a9c-4d8e-8f6a-5b4c3d5b0c7a',
    actor_email: isOfSystem ? WORKER_ACTOR : 'ada@example.com',
    action,
    outcome: 'done',
    reason: example.reason ?? null,
    target_type: subject,
    target_id: subject === 'tenant' ? TENANT_ID : subject && ID,
    target_name: subject && (NAMES[noun] ?? null),
    tenant_id,
    changes: Object.fromEntries(changes),
  })
  if (event === null) throw new Error(`No event has the action ${action}.`)
  return event
}
