import { expect, test } from 'vitest'
import { chosenRange } from './trend-range.ts'

const LAST_30 = { from: '2026-10-25', to: '2026-11-23', preset: 30 }

test.each([
  [{}, LAST_30],
  [{ days: '7' }, { from: '2026-11-17', to: '2026-11-23', preset: 7 }],
  [{ days: '90' }, { from: '2026-08-26', to: '2026-11-23', preset: 90 }],
  [{ days: '8' }, LAST_30],
  [
    { from: '2026-02-01', to: '2026-02-01' },
    { from: '2026-02-01', to: '2026-02-01', preset: null },
  ],
  [{ from: '2026-02-02', to: '2026-02-01' }, LAST_30],
  [{ from: '2026-02-30', to: '2026-03-01' }, LAST_30],
  [{ from: '2025-01-01', to: '2026-11-23' }, LAST_30],
  [{ from: '2026-02-01' }, LAST_30],
])('the parameters %o choose %o', (search, range) => {
  expect(chosenRange(search, '2026-11-23')).toEqual(range)
})
