import type { components } from './ai-api.d.ts'
import { errorOf } from './errors.ts'
import { patientFetch } from './patient-fetch.ts'
import type { AiApi } from './ai-api-client.ts'

/** A password is checked once, because a repeated check would count as another failure, and waits for its turn. */
const fetchOnce = patientFetch({ attempts: 1, timeoutMs: 10_000, firstWaitMs: 0, isRetryable: () => false })

/** What a person entered in the sign-in form, the tenant, and the address of the person, by which failures are limited. */
export type Credentials = components['schemas']['CredentialsBody']
export type User = components['schemas']['VerifiedUser']['user']
/** The user, or the sentence for the person who signs in. */
export type UserVerdict = { verified: true; user: User } | { verified: false; status: number; detail: string }

export function createUsers(api: AiApi) {
  return {
    /**
     * Verifies the email address and the password of a tenant's user. While `must_change_password` is true, let the user
     * do nothing before a new password. Throws when ai-api does not answer or refuses the token of the program.
     */
    verifyUser: async (credentials: Credentials): Promise<UserVerdict> => {
      const { data, error, response } = await api.POST('/v1/users/verify', { body: credentials, fetch: fetchOnce })
      if (data !== undefined) return { verified: true, user: data.user }
      const { status, headers } = response
      const refusal = errorOf(error, response)
      // Only the answer to a refused token names an authentication scheme.
      const isForPerson = [401, 422, 429].includes(status) && !headers.has('www-authenticate')
      if (!isForPerson) throw refusal
      return { verified: false, status, detail: refusal.message }
    },
  }
}
