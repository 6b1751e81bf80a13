import { openSingleSignOn } from '@switchboard/contract/single-sign-on'
import { call } from '#src/lib/call.ts'
import { refuseSignIn } from '#src/lib/session.ts'
import { startSignedIn } from './sign-in.api.ts'
import type { SignOnResult } from './sign-on-result.ts'
import { signOnFailureText } from './sign-on-labels.ts'

/** Begins the session for a code, or leaves the sentence of a failure for /login. Throws a `CallError`. */
export async function applyResult({ kind, value }: SignOnResult): Promise<void> {
  if (kind === 'failure') return refuseSignIn(signOnFailureText(value))
  startSignedIn(await call(openSingleSignOn, { body: { code: value } }))
}
