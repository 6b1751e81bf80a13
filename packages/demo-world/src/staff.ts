import { createHash } from 'node:crypto'
import type { Insertable } from 'kysely'
import type { Database } from '@switchboard/database/tables'
import type { Endpoint } from '@switchboard/contract/wire/endpoint'
import type { AuditActor, AuditEntry } from '@switchboard/database/audit/audit.queries'
import { DAY_MS, HOUR_MS, MINUTE_MS } from './calendar.ts'
import { type Chance, chanceOf } from './chance.ts'

/** An audit entry of the demo with its time (ms) and actor. */
export type DemoEvent = AuditEntry & { at: number; actor: AuditActor }

/** A present or former super admin of the demo. */
export type Colleague = {
  id: string
  email: string
  name: string | null
  address: string
  /** Start and end of the employment (ms). */
  from: number
  to: number
  end: 'here' | 'deactivated' | 'deleted'
}

/** The other super admins: address, and the days before now of the first and the last day. */
const OTHERS = [
  ['jonas.brennhold', '192.0.2.24', 341, 0, 'here'],
  ['amara.oyelunde', '198.51.100.7', 296, 0, 'here'],
  ['pavel.jankovar', '203.0.113.90', 322, 118, 'deleted'],
  ['chiara.mendarini', '192.0.2.61', 221, 46, 'deactivated'],
  ['mei.okadari', '2001:db8:41::8', 97, 0, 'here'],
] as const

/** The first super admin and the later ones. */
export function planStaff(first: { id: string; email: string; created_at: string }, now: number): Colleague[] {
  const chance = chanceOf('staff')
  return [
    {
      ...first,
      name: nameOfAddress(first.email),
      address: '192.0.2.15',
      from: Date.parse(first.created_at),
      to: now,
      end: 'here',
    },
    ...OTHERS.map(([name, address, from, to, end]) => ({
      id: chance.uuid(),
      email: `${name}@switchboard.example`,
      name: personName(name.split('.')),
      address,
      from: now - from * DAY_MS,
      to: now - to * DAY_MS,
      end,
    })),
  ]
}

/** "Ada Farrowby" from "ada.farrowby@switchboard.example". */
function nameOfAddress(email: string): string {
  return personName(email.replace(/@.*/, '').split('.'))
}

/** "Amara Oyelunde" from the parts of an address. */
export function personName(parts: readonly string[]): string {
  return parts.map((part) => part.charAt(0).toUpperCase() + part.slice(1)).join(' ')
}

/** A super admin of that time, most often the first. */
export function actingColleague(staff: readonly Colleague[], at: number, chance: Chance): Colleague {
  const [first, ...others] = staff
  if (first === undefined) throw new Error('The demo has no super admin.')
  const present = others.filter(({ from, to }) => from < at && at < to)
  const [one, ...more] = present
  return one === undefined || chance.is(0.4) ? first : chance.pick([one, ...more])
}

/** The actor of an audit entry. */
export function actorOf({ id, email, address }: Colleague, chance: Chance): AuditActor {
  return { id, email, address, request_id: chance.uuid() }
}

/** A super admin of that time as the actor of an audit entry. */
export function actorAt(staff: readonly Colleague[], at: number, chance: Chance): AuditActor {
  return actorOf(actingColleague(staff, at, chance), chance)
}

/** The event of a successful call of an endpoint. */
export function doneBy(
  actor: AuditActor,
  at: number,
  { schema }: Endpoint,
  entry: Pick<AuditEntry, 'target' | 'changes' | 'reason'> = {},
): DemoEvent {
  return { at, actor, action: schema.operationId, outcome: 'done', ...entry }
}

/** Minutes since each other device of the first admin signed in and was last used, and its user agent. */
const DEVICES = [
  [
    95,
    7,
    '192.0.2.15',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.1 Safari/605.1.15',
  ],
  [
    310,
    44,
    '203.0.113.118',
    'Mozilla/5.0 (Linux; Android 16; Pixel) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36',
  ],
] as const
const SESSION_HOURS = 12

/** Sessions on other devices, with unknown tokens. */
export function planSessions(user_id: string, now: number): Insertable<Database['sessions']>[] {
  const chance = chanceOf('sessions')
  return DEVICES.map(([began, used, address, user_agent]) => {
    const createdAt = now - began * MINUTE_MS
    return {
      id: chance.uuid(),
      user_id,
      token_hash: createHash('sha256').update(chance.uuid()).digest(),
      created_at: new Date(createdAt),
      last_seen_at: new Date(now - used * MINUTE_MS),
      expires_at: new Date(createdAt + SESSION_HOURS * HOUR_MS),
      address,
      user_agent,
    }
  })
}
