import { expect, test } from 'vitest'
import { z } from 'zod'
import { createLogger } from './log.ts'
import { repeatedFailures } from './repeated-failures.ts'

const logLine = z.looseObject({
  msg: z.string(),
  reason: z.string().optional(),
  failures: z.number().optional(),
  seconds: z.number().optional(),
})

/** The log lines of a poll that fails or works at these seconds. */
function linesOf(outcomes: readonly (readonly [second: number, outcome: 'failed' | 'worked'])[]) {
  const lines: string[] = []
  let now = 0
  const log = createLogger('info', {
    write: (line) => {
      const { msg, reason, failures, seconds, ...rest } = logLine.parse(JSON.parse(line))
      expect(rest).not.toHaveProperty('err')
      lines.push([msg, reason, failures, seconds].filter((part) => part !== undefined).join(' | '))
    },
  })
  const poll = repeatedFailures(log, 'the job queue', () => now * 1_000)
  for (const [second, outcome] of outcomes) {
    now = second
    if (outcome === 'worked') poll.worked()
    else poll.failed(new Error('Connection terminated unexpectedly'))
  }
  return lines
}

const every = (seconds: number, from: number, to: number) =>
  Array.from({ length: (to - from) / seconds + 1 }, (_, n) => [from + n * seconds, 'failed'] as const)

const FIRST = 'the job queue failed | it does not answer'

test('a bug is logged with its stack, a failure of the database without one', () => {
  const lines: string[] = []
  const log = createLogger('info', { write: (line) => void lines.push(line) })
  repeatedFailures(log, 'one').failed(new TypeError('x is not a function'))
  repeatedFailures(log, 'other').failed(Object.assign(new Error('gone'), { code: '57P01' }))
  expect(lines.map((line) => line.includes('repeated-failures.test.ts'))).toEqual([true, false])
})

test('work that never fails logs nothing', () => {
  expect(
    linesOf([
      [1, 'worked'],
      [2, 'worked'],
    ]),
  ).toEqual([])
})

test('the first failure is logged at once, and further failures are counted every five minutes', () => {
  expect(linesOf(every(25, 0, 600))).toEqual([
    FIRST,
    'the job queue failed 12 times in 5 minutes | it does not answer',
    'the job queue failed 12 times in 5 minutes | it does not answer',
  ])
})

test('the recovery is logged once', () => {
  expect(linesOf([...every(2, 0, 8), [20, 'worked'], [22, 'worked']])).toEqual([
    FIRST,
    'the job queue works again | 5 | 8',
  ])
})

test('work that fails every few seconds has not recovered', () => {
  expect(
    linesOf([
      [0, 'failed'],
      [1, 'worked'],
      [5, 'failed'],
      [6, 'worked'],
      [16, 'worked'],
    ]),
  ).toEqual([FIRST, 'the job queue works again | 2 | 5'])
})

test('a new failure after the recovery is logged at once', () => {
  expect(
    linesOf([
      [0, 'failed'],
      [11, 'worked'],
      [12, 'failed'],
    ]),
  ).toEqual([FIRST, 'the job queue works again | 1 | 0', FIRST])
})
