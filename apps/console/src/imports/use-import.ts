import { useEffect, useRef, useState } from 'react'
import { messageOf } from '#src/lib/call-error.ts'
import { queryClient } from '#src/lib/query-client.ts'
import type { ImportedNoun } from './imported-nouns.ts'
import type { ImportRow } from './match-columns.ts'
import { sendRows } from './imports.api.ts'
import { importResults, type RowResult } from './run-import.ts'

export type ImportPhase =
  | { kind: 'idle' | 'checking' | 'checked' }
  | { kind: 'importing'; done: number; total: number }
  | { kind: 'imported' | 'stopped'; created: number }
  | { kind: 'failed'; message: string }

/** Checks the rows of a file, then imports the new ones. */
export function useImport(noun: ImportedNoun) {
  const [phase, setPhase] = useState<ImportPhase>({ kind: 'idle' })
  const [results, setResults] = useState<readonly RowResult[]>([])
  const send = sendRows(noun)
  const abort = useRef(new AbortController())
  useEffect(() => () => abort.current.abort(), [])

  function reset() {
    abort.current.abort()
    setPhase({ kind: 'idle' })
    setResults([])
  }

  async function check(rows: readonly ImportRow[]) {
    const { signal } = (abort.current = new AbortController())
    setPhase({ kind: 'checking' })
    setResults([])
    const collected: RowResult[] = []
    try {
      for await (const batch of importResults(noun, rows, { send, isDryRun: true, signal })) {
        collected.push(...batch)
        setResults([...collected])
      }
      setPhase({ kind: signal.aborted ? 'idle' : 'checked' })
    } catch (error) {
      setPhase({ kind: 'failed', message: messageOf(error, 'The rows could not be checked.') })
    }
  }

  /** Imports the rows that the check found to be new. */
  async function start() {
    const { signal } = (abort.current = new AbortController())
    const pending = results
      .filter(({ isDone }) => !isDone)
      .map(({ row }) => row)
      .toSorted((one, other) => compareTexts(one.cells[noun.order ?? ''], other.cells[noun.order ?? '']))
    const imported = new Map<ImportRow, RowResult>()
    const created = () => [...imported.values()].filter(({ outcome }) => outcome === 'created').length
    setPhase({ kind: 'importing', done: 0, total: pending.length })
    try {
      for await (const batch of importResults(noun, pending, { send, isDryRun: false, signal })) {
        for (const result of batch) imported.set(result.row, result)
        setPhase({ kind: 'importing', done: imported.size, total: pending.length })
      }
      setPhase({ kind: imported.size < pending.length ? 'stopped' : 'imported', created: created() })
    } catch (error) {
      setPhase({ kind: 'failed', message: messageOf(error, 'The import was interrupted.') })
    } finally {
      setResults(results.map((result) => imported.get(result.row) ?? result))
      void queryClient.invalidateQueries()
    }
  }

  return { phase, results, reset, check, start, stop: () => abort.current.abort() }
}

function compareTexts(one = '', other = ''): number {
  return one < other ? -1 : Number(one > other)
}
