import type { Tenant } from '@switchboard/contract/tenants'
import { DAY_MS } from '@switchboard/contract/wire/days'
import { momentText, zoneText } from '#src/lib/format/moment.ts'
import { serverNow } from '#src/lib/server-clock.ts'

/** Choices for the end of a suspension. */
export const END_OPTIONS = [
  { value: 'none', label: 'No end' },
  { value: 'day', label: '1 day' },
  { value: 'week', label: '1 week' },
  { value: 'date', label: 'Date' },
] as const
type EndChoice = (typeof END_OPTIONS)[number]['value']

/** The form of a suspension. `suspended_until` is the value of a date input: a local time such as "2026-11-24T12:00". */
export type SuspensionDraft = { suspension_reason: string; end: EndChoice; suspended_until: string }

const MINUTE_MS = 60_000
const DAYS = { day: 1, week: 7 }
const FUTURE = 'Choose an end in the future.'

export function draftOf({ suspension_reason, suspended_until }: Tenant): SuspensionDraft {
  return {
    suspension_reason: suspension_reason ?? '',
    end: suspended_until === null ? 'none' : 'date',
    suspended_until: suspended_until === null ? '' : localTime(suspended_until),
  }
}

/**
 * The `suspended_until` of an API call: null without an end, undefined for a missing or past time. The input has no seconds,
 * so an unchanged time stays the time of `before`.
 */
export function endOf(
  { end, suspended_until }: SuspensionDraft,
  before: Pick<Tenant, 'suspended_until'>,
  now = serverNow(),
): string | null | undefined {
  if (end === 'none') return null
  if (end !== 'date') return new Date(Math.ceil((now + DAYS[end] * DAY_MS) / MINUTE_MS) * MINUTE_MS).toISOString()
  if (before.suspended_until !== null && localTime(before.suspended_until) === suspended_until)
    return before.suspended_until
  const at = new Date(suspended_until)
  return at.getTime() > now ? at.toISOString() : undefined
}

/** The error of the `suspended_until` field. */
export function endErrors(draft: SuspensionDraft, before: Pick<Tenant, 'suspended_until'>) {
  return endOf(draft, before) === undefined ? { suspended_until: FUTURE } : {}
}

/** The end in words, with the time zone: "Until Dec 1, 2026, 12:00, Europe/Berlin (UTC+1)." */
export function endText(end: string | null | undefined): string {
  if (end === null) return 'Until you reactivate the tenant.'
  if (end === undefined) return `The time zone is ${zoneText()}.`
  return `Until ${momentText(end)}, ${zoneText(new Date(end).getTime())}.`
}

/** A moment as the value of a date input with a time. */
function localTime(moment: string): string {
  const at = new Date(moment)
  return new Date(at.getTime() - at.getTimezoneOffset() * MINUTE_MS).toISOString().slice(0, '2026-11-24T12:00'.length)
}
