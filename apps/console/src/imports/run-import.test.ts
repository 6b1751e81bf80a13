import type { ImportAnswer } from '@switchboard/contract/wire/imports'
import { expect, test } from 'vitest'
import { IMPORTED_TENANTS } from './imported-nouns.ts'
import type { ImportRow } from './match-columns.ts'
import { importResults, type SendRows } from './run-import.ts'

type Body = Parameters<SendRows>[0]

/** A server that creates each row except those without a name. */
function recordedServer() {
  const bodies: Body[] = []
  const send = (body: Body): Promise<ImportAnswer> => {
    bodies.push(body)
    return Promise.resolve({
      results: body.rows.map(({ name }) =>
        name === undefined
          ? { outcome: 'refused', problems: [{ column: 'name', message: 'Tenant name is required' }] }
          : { outcome: 'created', problems: [] },
      ),
    })
  }
  return { send, bodies }
}

const row = (line: number, fields: Partial<ImportRow> = {}): ImportRow => ({
  line,
  key: `t-${line}`,
  cells: { name: `T ${line}`, subdomain: `t-${line}` },
  problem: null,
  ...fields,
})
const rows = (count: number) => Array.from({ length: count }, (_, n) => row(n + 2))
const NEVER = new AbortController().signal

test('every row gets its result, and rows that the console refuses are not sent', async () => {
  const { send, bodies } = recordedServer()
  const all = [row(2), row(3, { problem: 'Line 2 has the same subdomain.' }), row(4, { cells: { subdomain: 't-4' } })]
  const [results] = await Array.fromAsync(importResults(IMPORTED_TENANTS, all, { send, isDryRun: true, signal: NEVER }))
  expect(results?.map(({ outcome, reason, isDone }) => [outcome, reason, isDone])).toEqual([
    ['created', null, false],
    ['refused', 'Line 2 has the same subdomain.', true],
    ['refused', 'Tenant Name: Tenant name is required', true],
  ])
  expect(bodies).toEqual([{ dry_run: true, rows: [all[0]?.cells, all[2]?.cells] }])
})

test('a call has at most 40 rows and 200 kB', async () => {
  const { send, bodies } = recordedServer()
  await Array.fromAsync(importResults(IMPORTED_TENANTS, rows(150), { send, isDryRun: false, signal: NEVER }))
  expect(bodies.map((body) => body.rows.length)).toEqual([40, 40, 40, 30])
  bodies.length = 0
  const long = rows(200).map((one) => ({ ...one, cells: { ...one.cells, goal: 'ü'.repeat(2_000) } }))
  await Array.fromAsync(importResults(IMPORTED_TENANTS, long, { send, isDryRun: false, signal: NEVER }))
  expect(bodies.flatMap((body) => body.rows)).toHaveLength(200)
  for (const body of bodies) expect(new TextEncoder().encode(JSON.stringify(body)).length).toBeLessThan(256_000)
})

test('an abort sends no further call', async () => {
  const { send, bodies } = recordedServer()
  const abort = new AbortController()
  for await (const batch of importResults(IMPORTED_TENANTS, rows(150), {
    send,
    isDryRun: false,
    signal: abort.signal,
  })) {
    expect(batch.every(({ isDone }) => isDone)).toBe(true)
    abort.abort()
  }
  expect(bodies).toHaveLength(1)
})
