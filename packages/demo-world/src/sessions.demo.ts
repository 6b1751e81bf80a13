import { createHash } from 'node:crypto'
import type { Insertable } from 'kysely'
import type { Database } from '@switchboard/database/tables'
import { HOUR_MS, MINUTE_MS } from './calendar.ts'
import { chanceOf } from './chance.ts'

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
