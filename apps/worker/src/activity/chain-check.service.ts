import { BROKEN_CHAIN_ACTION } from '@switchboard/contract/activity'
import { writeAudit } from '@switchboard/database/audit/audit.queries'
import { WORKER } from '@switchboard/database/audit/system-actors'
import { type ChainState, checkAuditChain } from '@switchboard/database/audit/audit-chain'
import { reportCause } from '@switchboard/database/alerts/report-cause'
import { databaseTime } from '@switchboard/database/database-clock'
import { inTransaction } from '@switchboard/database/in-transaction'
import { pause } from '@switchboard/database/pause'
import type { Deps } from '#src/deps.ts'
import { lockLastProblem } from './chain-check.queries.ts'

/** Interval of the checks, and the delay after a check that the database has ended, in milliseconds. */
const EVERY_MS = 86_400_000
const RETRY_MS = 60_000
/** Pause after each thousand rows in milliseconds: hashing them takes the event loop about 15 ms. */
const PAUSE_MS = 100

/** The result of a check. `atMs` is its end by the database's clock, 0 before the first one. */
type Checked = { isBroken: boolean; rows: number; atMs: number }
export type ChainCheck = { last: () => Checked; stop: () => Promise<void> }

/** Checks the whole audit chain now and once a day until stopped, for the metrics and the log. */
export function checkChainDaily(deps: Pick<Deps, 'db' | 'log'>, everyMs = EVERY_MS): ChainCheck {
  const stopping = new AbortController()
  let last: Checked = { isBroken: false, rows: 0, atMs: 0 }

  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const checked = await checkOnce(deps, stopping.signal)
      last = checked ?? last
      await pause(checked === null ? RETRY_MS : everyMs, stopping.signal)
    }
  }
  const running = run()

  return {
    last: () => last,
    stop: async () => {
      stopping.abort()
      await running
    },
  }
}

/** `null` for a check without a result, because the database failed or the worker stops. */
async function checkOnce({ db, log }: Pick<Deps, 'db' | 'log'>, signal: AbortSignal): Promise<Checked | null> {
  try {
    let state: ChainState | undefined
    for await (state of checkAuditChain(db)) {
      if (state.state === 'checking') await pause(PAUSE_MS, signal)
      if (signal.aborted) return null
    }
    if (state === undefined) throw new Error('The check of the audit chain gave no state.')
    if (state.state === 'broken') await tellBroken({ db, log }, state.problem)
    await reportCause(db, 'chain_broken', state.state === 'broken' ? state.problem : null)
    const atMs = (await databaseTime(db)).getTime()
    return { isBroken: state.state === 'broken', rows: state.checked.seq, atMs }
  } catch (error) {
    log.warn({ err: error }, 'the audit chain could not be checked, the next minute tries again')
    return null
  }
}

/** Writes to the log that the chain does not hold, once for each problem, however many workers find it. */
async function tellBroken({ db, log }: Pick<Deps, 'db' | 'log'>, problem: string): Promise<void> {
  log.error({ problem }, 'the audit chain does not hold')
  try {
    await inTransaction(db, async (trx) => {
      if ((await lockLastProblem(trx, BROKEN_CHAIN_ACTION)) === problem) return
      await writeAudit(trx, await databaseTime(trx), WORKER, { action: BROKEN_CHAIN_ACTION, reason: problem })
    })
  } catch (error) {
    // The same hand may have made the log refuse entries. The metric still says that the chain is broken.
    log.error({ err: error }, 'the broken audit chain could not be written to the audit log')
  }
}
