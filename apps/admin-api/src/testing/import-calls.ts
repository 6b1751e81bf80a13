import { IMPORT_CALL_MAX, type ImportAnswer } from '@switchboard/contract/wire/imports'
import { parse } from 'csv-parse/sync'
import { expect } from 'vitest'
import type { startTestApi } from './test-api.ts'

type Rows = Record<string, string>[]

export const CREATED = { outcome: 'created', problems: [] }
export const UNCHANGED = { outcome: 'unchanged', problems: [] }

export const outcomes = (results: ImportAnswer['results']) => results.map(({ outcome }) => outcome)

/** Imports and exports of the lists at a path such as `tenants`, as an admin. */
export function importCalls({ call }: Awaited<ReturnType<Awaited<ReturnType<typeof startTestApi>>['signIn']>>) {
  const url = '/api/v1/admin'
  const send = (path: string, rows: Rows, dry_run = false) =>
    call({ method: 'POST', url: `${url}/${path}/import`, body: { dry_run, rows } })
  const imported = async (path: string, rows: Rows, dryRun = false): Promise<ImportAnswer['results']> => {
    const results: ImportAnswer['results'] = []
    for (let at = 0; at < rows.length; at += IMPORT_CALL_MAX) {
      const answer = await send(path, rows.slice(at, at + IMPORT_CALL_MAX), dryRun)
      expect([answer.statusCode, answer.json()]).toMatchObject([200, {}])
      results.push(...answer.json().results)
    }
    return results
  }
  /** The rows of our own export, as a program reads them. */
  const exported = async (path: string): Promise<Rows> => {
    const { rawPayload } = await call({ method: 'POST', url: `${url}/${path}` })
    return parse<Record<string, string>>(rawPayload, { columns: true, bom: true })
  }
  return { send, imported, exported }
}
