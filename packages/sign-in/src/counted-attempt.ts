import { inTransaction } from '@switchboard/database/in-transaction'
import type { Database } from '@switchboard/database/tables'
import type { AppError } from '@switchboard/server/http/errors'
import type { Transaction } from 'kysely'
import { runInTurn } from './sign-in-queue.ts'
import {
  type AttemptDetails,
  endThrottleWindows,
  type ReservedAttempt,
  reserveAttempt,
  type ThrottleDeps,
} from './throttle.ts'
import { type Attempt, forgiveAttempts } from './throttle.queries.ts'

/** Locked for an unknown account, so that known and unknown accounts take the same time. */
export const NO_USER = { id: '00000000-0000-0000-0000-000000000000', password_hash: '' }

export type Decision<Account> =
  | { kind: 'accepted'; account: Account }
  | { kind: 'refused'; error: AppError; reason: string }

export function accepted<Account>(account: Account): Decision<Account> {
  return { kind: 'accepted', account }
}

/** The recorded reason is the sentence of the error, unless another `reason` is given. */
export function refused(error: AppError, reason = error.message): Decision<never> {
  return { kind: 'refused', error, reason }
}

/** The parts in which sign-ins differ. `Begun` names the attempt, and `Verified` is the result of the slow work. */
type Steps<Begun, Verified, Account, Result> = {
  /** Names the attempt to count. Runs in the party's turn. If it throws, the attempt is not counted. */
  begin: () => Promise<Begun>
  /** The slow work, such as a password hash. No transaction is open. */
  verify: (begun: Begun) => Promise<Verified>
  /** Locks the account and reads it again: a reset or deactivation since `verify` wins. */
  decide: (trx: Transaction<Database>, verified: Verified, reserved: ReservedAttempt) => Promise<Decision<Account>>
  /** Records the refusal. What `decide` has written is committed with it. */
  refuse: (trx: Transaction<Database>, verified: Verified, reason: string) => Promise<void>
  /** Records the success, and returns the result. */
  accept: (trx: Transaction<Database>, account: Account, verified: Verified) => Promise<Result>
}

/**
 * Runs a sign-in in the order on which its security depends. The attempt counts as a failure before it is verified, so that
 * parallel guesses cannot exceed the limit, and is forgiven only in the transaction that accepts it. A refusal is recorded
 * in the same transaction as the decision, and thrown after it. `party` is explained at `runInTurn`. Throws 429 after too
 * many failures, 503 when too many sign-ins wait, and the error of a refused decision.
 */
export async function countedAttempt<Begun extends AttemptDetails & { attempt: Attempt }, Verified, Account, Result>(
  deps: ThrottleDeps,
  party: string,
  { begin, verify, decide, refuse, accept }: Steps<Begun, Verified, Account, Result>,
): Promise<Result> {
  return await runInTurn(party, {
    count: async () => {
      const begun = await begin()
      return { begun, reserved: await reserveAttempt(deps, begun.attempt, begun) }
    },
    verify: async ({ begun, reserved }) => {
      const verified = await verify(begun)
      const outcome = await inTransaction(deps.db, async (trx) => {
        const decision = await decide(trx, verified, reserved)
        if (decision.kind === 'refused') {
          await refuse(trx, verified, decision.reason)
          return decision
        }
        await forgiveAttempts(trx, reserved)
        return { kind: 'accepted' as const, result: await accept(trx, decision.account, verified) }
      })
      await endThrottleWindows(deps)
      if (outcome.kind === 'refused') throw outcome.error
      return outcome.result
    },
  })
}
