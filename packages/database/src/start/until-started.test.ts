import { expect, test } from 'vitest'
import { BusyError } from '#src/connection/failures.ts'
import { StartError } from './start-error.ts'
import { type Patience, untilStarted } from './until-started.ts'

const coded = (code: string) => Object.assign(new Error(`failed with ${code}`), { code })
const patience = (given: Partial<Patience> = {}): Patience => ({
  ms: 60_000,
  say: () => undefined,
  signal: new AbortController().signal,
  ...given,
})
/** A step that fails with each error in turn, then succeeds. */
const failing = (...errors: Error[]) => {
  let tries = 0
  const step = async () => {
    const error = errors[tries]
    tries += 1
    if (error !== undefined) throw error
    return 'done'
  }
  return { step, tries: () => tries }
}

test.for([
  ['a busy database', new BusyError()],
  ['a database that starts up', coded('57P03')],
  ['a standby', coded('25006')],
  ['a taken port', coded('EADDRINUSE')],
  ['a sentence about one of these', new StartError('Nothing answers.', { cause: coded('57P03') })],
] as const)('the start waits for %s', async ([, error]) => {
  const { step, tries } = failing(error, error)
  expect(await untilStarted('the database', step, patience())).toBe('done')
  expect(tries()).toBe(3)
})

test.for([
  ['a wrong password', coded('28P01')],
  ['a missing database', coded('3D000')],
  ['missing rights', coded('42501')],
  ['a full disk', coded('53100')],
  ['a sentence about anything else', new StartError('PORT must be a number.')],
  ['a defect', new TypeError('x is not a function')],
] as const)('%s is thrown at once', async ([, error]) => {
  const { step, tries } = failing(error)
  await expect(untilStarted('the database', step, patience())).rejects.toBe(error)
  expect(tries()).toBe(1)
})

test('the retries end with one sentence', async () => {
  const { step } = failing(...Array.from({ length: 99 }, () => new BusyError()))
  await expect(untilStarted('the job queue', step, patience({ ms: 1_000 }))).rejects.toThrow(
    new StartError('Gave up waiting for the job queue after 1 s: no connection was free in time.'),
  )
})

test('without patience a step is tried once', async () => {
  const { step, tries } = failing(new BusyError())
  await expect(untilStarted('the job queue', step, patience({ ms: 0 }))).rejects.toBeInstanceOf(StartError)
  expect(tries()).toBe(1)
})

test('the wait ends when the process ends', async () => {
  const stopping = new AbortController()
  const { step } = failing(...Array.from({ length: 99 }, () => new BusyError()))
  const started = untilStarted('the job queue', step, patience({ signal: stopping.signal }))
  stopping.abort()
  await expect(started).rejects.toBe(stopping.signal.reason)
})

test('after five seconds one line says what the start waits for, and why', async () => {
  const lines: string[] = []
  const began = performance.now()
  const step = async () => {
    if (lines.length === 0 || performance.now() - began < 7_000) throw coded('57P03')
  }
  await untilStarted('the database', step, patience({ say: (line) => lines.push(line) }))
  expect(lines).toEqual(['Waiting for the database: failed with 57P03 …'])
})
