import { PASSWORD_SIGN_IN_OFF } from '@switchboard/contract/single-sign-on'
import { AppError } from '@switchboard/server/http/errors'
import type { ZodApp } from '@switchboard/server/http/zod-app'
import { countInMetrics, type Counts, createCounts } from '@switchboard/server/process/metrics'

const REASONS = [
  'wrong_password',
  'second_factor',
  'password_sign_in_off',
  'single_sign_on',
  'too_many_attempts',
  'busy',
] as const

export type SignInFailure = (typeof REASONS)[number]
export type SignInFailures = Counts<SignInFailure>

/** The failed sign-ins of a server by reason. */
export function createSignInFailures(): SignInFailures {
  return createCounts('reason', REASONS)
}

/** Adds the failed sign-ins to the metrics of a server. */
export function addSignInMetrics(metrics: ZodApp['metrics'], failures: SignInFailures): void {
  countInMetrics(metrics, {
    name: 'sign_in_failures_total',
    help: 'Failed sign-ins by reason; wrong_password includes unknown accounts and links. At ai-api, those of the portals',
    labelNames: ['reason'],
    totals: failures.totals,
  })
}

/** Runs a sign-in. Counts its failure: `refused` for a 401 or 403 without a more specific reason. */
export async function countFailure<Result>(
  failures: SignInFailures,
  refused: SignInFailure,
  signIn: () => Promise<Result>,
): Promise<Result> {
  try {
    return await signIn()
  } catch (error) {
    const reason = reasonOf(error, refused)
    if (reason !== null) failures.count(reason)
    throw error
  }
}

function reasonOf(error: unknown, refused: SignInFailure): SignInFailure | null {
  if (!(error instanceof AppError)) return null
  const { statusCode, message, extra } = error
  if (statusCode === 429) return 'too_many_attempts'
  if (statusCode === 503) return 'busy'
  if (message === PASSWORD_SIGN_IN_OFF) return 'password_sign_in_off'
  // The right password of an account with a second factor: the sign-in continues.
  if (extra['challenge'] !== undefined) return null
  return statusCode === 401 || statusCode === 403 ? refused : null
}
