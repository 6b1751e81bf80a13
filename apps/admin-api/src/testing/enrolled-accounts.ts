import type { startTestApi } from './test-api.ts'
import { totpCodes } from './totp-codes.ts'

type TestApi = Awaited<ReturnType<typeof startTestApi>>
type SignedIn = Awaited<ReturnType<TestApi['signIn']>>

const URL = '/api/v1/admin/auth/second-factors'

/** Adds an authenticator app to the account of a session, as the console does. Returns its codes and the recovery codes. */
export async function enrollTotp(api: Pick<TestApi, 'clock'>, { call }: Pick<SignedIn, 'call'>, name = 'Phone') {
  const { id, secret } = (await call({ method: 'POST', url: `${URL}/totp/begin` })).json()
  const codes = totpCodes(secret)
  /** The code at the time of the test, moved by whole steps. */
  const codeAt = (steps = 0) => codes(api.clock.at, steps)
  const answer = await call({ method: 'POST', url: `${URL}/totp`, body: { id, name, code: codeAt() } })
  const recoveryCodes: string[] = answer.json().recovery_codes ?? []
  return { answer, codeAt, recoveryCodes }
}
