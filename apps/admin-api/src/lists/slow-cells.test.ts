import { expect, test } from 'vitest'
import { csvRecords } from './csv.ts'
import { ROWS_AT_ONCE } from './export.service.ts'

const LENGTH = 2_000

const SLOW_CELLS = {
  'line ends': '\n'.repeat(LENGTH),
  'line ends before a formula': '\n'.repeat(LENGTH - 1) + '=',
  'many formulas': '\n='.repeat(LENGTH / 2),
  semicolons: ';'.repeat(LENGTH),
  quotes: '"'.repeat(LENGTH),
  'quotes and line ends before a formula': '"\n'.repeat(LENGTH / 2 - 1) + '=',
  blanks: ' '.repeat(LENGTH) + 'x',
}

test.for(Object.entries(SLOW_CELLS))('a batch of cells full of %s is written in less than 100 ms', ([, cell]) => {
  const rows = Array.from({ length: ROWS_AT_ONCE }, () => ({ cell }))
  const costs = Array.from({ length: 5 }, () => {
    const before = process.cpuUsage()
    csvRecords(['cell'], rows)
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1_000
  })
  expect(Math.min(...costs)).toBeLessThan(100)
})
