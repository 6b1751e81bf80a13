import type { BusinessStatus } from '@switchboard/contract/places'

/** How each status of a business is shown. */
export const STATUS_LABELS = {
  OPERATIONAL: { tone: 'ok', label: 'In business' },
  FUTURE_OPENING: { tone: 'info', label: 'Opens later' },
  CLOSED_TEMPORARILY: { tone: 'warn', label: 'Temporarily closed' },
  CLOSED_PERMANENTLY: { tone: 'bad', label: 'Permanently closed' },
} as const satisfies Record<BusinessStatus, { tone: 'ok' | 'info' | 'warn' | 'bad'; label: string }>

/** What to know before a place is chosen that is not open; null for one that is. */
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
