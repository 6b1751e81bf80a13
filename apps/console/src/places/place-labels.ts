import type { BusinessStatus } from '@switchboard/contract/places/business-status'

/** Badge of each status of a business. */
export const STATUS_BADGES = {
  OPERATIONAL: { tone: 'ok', text: 'In business' },
  FUTURE_OPENING: { tone: 'info', text: 'Opens later' },
  CLOSED_TEMPORARILY: { tone: 'warn', text: 'Temporarily closed' },
  CLOSED_PERMANENTLY: { tone: 'bad', text: 'Permanently closed' },
} as const satisfies Record<BusinessStatus, { tone: 'ok' | 'info' | 'warn' | 'bad'; text: string }>

/** A warning for a place that is not open; otherwise null. */
export function statusWarning(status: BusinessStatus | null): string | null {
  switch (status) {
    case 'CLOSED_PERMANENTLY':
      return 'Google Maps says that this place is permanently closed. New reviews are unlikely.'
    case 'CLOSED_TEMPORARILY':
      return 'Google Maps says that this place is temporarily closed. New reviews may be rare.'
    case 'FUTURE_OPENING':
      return 'Google Maps says that this place has yet to open. It may have no reviews.'
    case 'OPERATIONAL':
    case null:
      return null
  }
}
