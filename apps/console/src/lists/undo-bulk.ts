import type { BulkAnswer, BulkResult } from '@switchboard/contract/wire/bulk'
import { failureText } from '#src/lib/call-error.ts'
import { counted } from '#src/lib/format/count.ts'
import type { UndoResult } from '#src/lib/notify.ts'
import { queryClient } from '#src/lib/query-client.ts'
import { untilSessionEnds } from '#src/lib/session.ts'
import { bulkResults } from './run-bulk.ts'

/** Refused rows named in a notification. */
const NAMED_MAX = 3

/** The opposite of a bulk action, on the rows that the action changed. */
export type BulkUndo = {
  noun: string
  /** The result: "activated again". */
  done: string
  ids: readonly string[]
  act: (ids: string[]) => Promise<BulkAnswer>
  /** Name of a row that the server no longer knows. */
  nameOf: (id: string) => string | null | undefined
}

/** Undoes a bulk change. Rejects if no row was undone. */
export async function undoBulk({ noun, done, ids, act, nameOf }: BulkUndo): Promise<UndoResult> {
  const results: BulkResult[] = []
  const undoneText = () => bulkText(results.filter(({ outcome }) => outcome === 'done').length, noun, done)
  try {
    for await (const batch of bulkResults(ids, act, untilSessionEnds())) results.push(...batch)
  } catch (error) {
    if (results.length === 0) throw error
    const left = ids.length - results.length
    return { tone: 'bad', text: failureText(error, `${undoneText()} ${left} not processed.`) }
  } finally {
    void queryClient.invalidateQueries()
  }
  const refused = results.filter(({ outcome }) => outcome === 'refused')
  if (refused.length === 0) return undoneText()
  const named = refused.slice(0, NAMED_MAX).map(({ id, name, reason }) => `${name ?? nameOf(id) ?? id}: ${reason}`)
  return { tone: 'bad', text: `${undoneText()} ${counted(refused.length, noun)} refused. ${named.join(' ')}` }
}

/** The result of a bulk change: "26 tenants were deactivated." */
export function bulkText(count: number, noun: string, done: string): string {
  return `${counted(count, noun)} ${count === 1 ? 'was' : 'were'} ${done}.`
}
