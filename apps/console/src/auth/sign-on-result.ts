import { messageOf } from '#src/lib/call-error.ts'
import { lazyCode } from '#src/lib/load-code.ts'
import { refuseSignIn, settledSession } from '#src/lib/session.ts'

/** The result of a single sign-on, from the fragment of the address: a one-time code, or the reason of a refusal. */
export type SignOnResult = { kind: 'code' | 'failure'; value: string }

const singleSignOnApi = lazyCode(() => import('./single-sign-on.api.ts'))

// At the start of the page, before the router reads the address: the code stays in no history.
let result = takeResult()

/** Completes a single sign-on that has just returned to this page: begins the session, or leaves a message for /login. */
export async function completeSignOn(): Promise<void> {
  const session = await settledSession()
  const taken = result
  result = null
  if (taken === null || session.kind !== 'unauthenticated') return
  try {
    await (await singleSignOnApi()).applyResult(taken)
  } catch (error) {
    refuseSignIn(messageOf(error, 'Login failed'))
  }
}

function takeResult(): SignOnResult | null {
  const { pathname, search, hash } = window.location
  const [, name, value] = /^#(sso|sso-error)=([\w-]+)$/.exec(hash) ?? []
  if (pathname !== '/login' || value === undefined) return null
  window.history.replaceState(window.history.state, '', pathname + search)
  return { kind: name === 'sso' ? 'code' : 'failure', value }
}
