import type { ApiKey } from '@switchboard/contract/api-keys'
import type { KeyDiagnosis } from '@switchboard/contract/api-keys/key-diagnosis'
import { REFUSED_DAYS } from '@switchboard/contract/api-keys/key-outcomes'
import type { KeyState } from '@switchboard/contract/api-keys/key-state'
import { dayOrTimeText, stateOf } from '#src/api-keys/key-state-labels.ts'
import { counted } from '#src/lib/format/count.ts'
import { serverNow } from '#src/lib/server-clock.ts'

/** The change that lets the calls of a key through again, or longer. */
export type Remedy = 'reactivate tenant' | 'activate' | 'extend' | 'extend grace'
export type Verdict = { tone: 'ok' | 'bad' | 'warn' | 'info'; text: string; remedy: Remedy | null }

/** Explains the state of a key in one sentence. `now` in ms. */
export function verdictOf(
  { key, refused_since, days }: Pick<KeyDiagnosis, 'key' | 'refused_since' | 'days'>,
  now = serverNow(),
): Verdict {
  const state = stateOf(key, now)
  const isLeaked = state === 'switched_off' && key.reported_at !== null
  const refusal = isLeaked ? LEAKED : REFUSALS[state]
  if (refusal !== null) {
    const since = refused_since === null ? '' : ` since ${dayOrTimeText(refused_since, now)}`
    return { tone: 'bad', text: `Refused${since}: ${refusal.reason}.`, remedy: refusal.remedy }
  }
  const week = days.slice(-REFUSED_DAYS)
  const sum = (outcome: 'valid' | 'origin_refused') => week.reduce((all, { counts }) => all + (counts[outcome] ?? 0), 0)
  const [accepted, refused] = [sum('valid'), sum('origin_refused')]
  if (refused > 0) {
    const text = `${counted(refused, 'call')} refused in ${REFUSED_DAYS} days: their origin is not allowed.`
    return { tone: 'warn', text, remedy: null }
  }
  const calls = accepted === 0 ? 'no calls' : counted(accepted, 'call')
  return ending(key, state, now) ?? { tone: 'ok', text: `Active: ${calls} in ${REFUSED_DAYS} days.`, remedy: null }
}

/** No remedy: a leaked key is replaced. */
const LEAKED = { reason: 'the key was reported as leaked', remedy: null }

const REFUSALS = {
  working: null,
  expiring: null,
  in_grace: null,
  revoked: { reason: 'the key is revoked', remedy: null },
  blocked: { reason: 'the tenant is inactive', remedy: 'reactivate tenant' },
  switched_off: { reason: 'the key is inactive', remedy: 'activate' },
  expired: { reason: 'the key has expired', remedy: 'extend' },
  grace_ended: { reason: 'the grace period has ended', remedy: null },
} satisfies Record<KeyState, { reason: string; remedy: Remedy | null } | null>

function ending({ expires_at }: ApiKey, state: KeyState, now: number): Verdict | null {
  if (expires_at === null || state === 'working') return null
  const until = dayOrTimeText(expires_at, now)
  return state === 'in_grace'
    ? { tone: 'info', text: `Active until ${until}: a new key has replaced it.`, remedy: 'extend grace' }
    : { tone: 'warn', text: `Active until ${until}: then the key expires.`, remedy: 'extend' }
}
