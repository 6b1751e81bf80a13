import { describe, expect, test } from 'vitest'
import { runAnswer } from '#src/runs.ts'
import { reportedRun } from './run-report.ts'

const executed = (message = '') => ({ outcome: 'executed', message })
const failed = (message = '') => ({ outcome: 'failed', message })
const REPORTS = [
  [{ status: 'success' }, executed()],
  [{ success: true }, executed()],
  [{ execution_status: 'executed' }, executed()],
  [{ status: 'success', message: 'Done.' }, executed('Done.')],
  [{ status: 'done', success: true, execution_status: 'queued', message: null }, executed()],
  [{ status: 'success', success: null, execution_status: null }, executed()],
  [{ status: 'success', more: { of: 'it' }, run_id: 7 }, null],
  [{ status: 'success', more: { of: 'it' }, run_id: 'run-7' }, executed()],
  [{ status: 'error' }, failed()],
  [{ success: false, message: 'No place.' }, failed('No place.')],
  [{ execution_status: 'skipped' }, failed()],
  [{ message: 'Nothing to do.' }, failed('Nothing to do.')],
  [{ message: 'x'.repeat(5_000) }, failed('x'.repeat(1_000))],
  [
    { status: 'running', success: false, execution_status: 'running', message: 'Later.' },
    { outcome: 'running', message: 'Later.' },
  ],
  [{ execution_status: 'running' }, { outcome: 'running', message: '' }],
  // Not reports of a run.
  [{}, null],
  [{ status: null }, null],
  [{ run_id: 'run-7' }, null],
  [{ detail: 'Not found' }, null],
  [{ success: 'yes' }, null],
] as const

describe.for([
  ['wrapped in result', (report: object): unknown => ({ result: report })],
  ['unwrapped', (report: object): unknown => report],
  ['beside an empty result', (report: object): unknown => ({ result: null, ...report })],
] as const)('%s', ([, wrap]) => {
  test.for(REPORTS)('%j', ([report, expected]) => {
    const { data } = runAnswer.safeParse(wrap(report))
    expect(data === undefined ? null : reportedRun(data)).toEqual(expected)
  })
})

test.for([null, [], 'executed', true, 1, { result: 'executed' }])('%j is not a report', (answer) => {
  expect(runAnswer.safeParse(answer).success).toBe(false)
})
