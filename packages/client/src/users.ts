import type { components } from './ai-api.d.ts'
import { errorOf } from './errors.ts'
import { patientFetch } from './patient-fetch.ts'
import type { AiApi } from './ai-api-client.ts'

/** A password is checked once, because a repeated check would count as another failure, and waits for its turn. */
const fetchOnce = patientFetch({ attempts: 1, timeoutMs: 10_000, firstWaitMs: 0, isRetryable: () => false })

/** What a person entered in the sign-in form, the tenant, and the address of the person, by which failures are limited. */
export type Credentials = components['schemas']['CredentialsBody']
/** The same with a new password. */
export type PasswordChange = components['schemas']['PasswordChangeBody']
/** The token of an invitation, from the fragment of its link, and the first password. */
export type InvitationAnswer = components['schemas']['InvitationAnswer']
export type User = components['schemas']['VerifiedUser']['user']
/** The user, or the sentence for the person who signs in. */
export type UserVerdict = { verified: true; user: User } | { verified: false; status: number; detail: string }

type Answer = { data?: { user: User }; error?: unknown; response: Response }

export function createUsers(api: AiApi) {
  // Each call throws when ai-api does not answer or refuses the token of the program.
  return {
    /**
     * Verifies the email address and the password of a tenant's user. While `must_change_password` is true, let the user
     * do nothing before a new password.
     */
    verifyUser: async (credentials: Credentials): Promise<UserVerdict> =>
      verdictOf(await api.POST('/v1/users/verify', { body: credentials, fetch: fetchOnce })),
    /** Changes the password of a tenant's user, by the current one. End the user's other sessions after it. */
    changePassword: async (change: PasswordChange): Promise<UserVerdict> =>
      verdictOf(await api.POST('/v1/users/password', { body: change, fetch: fetchOnce })),
    /** Gives an invited user of a tenant the first password. The user is then signed in. */
    acceptInvitation: async (answer: InvitationAnswer): Promise<UserVerdict> =>
      verdictOf(await api.POST('/v1/users/invitation', { body: answer, fetch: fetchOnce })),
  }
}

function verdictOf({ data, error, response }: Answer): UserVerdict {
  if (data !== undefined) return { verified: true, user: data.user }
  const { status, headers } = response
  const refusal = errorOf(error, response)
  // Only the answer to a refused token names an authentication scheme.
  const isForPerson = [401, 422, 429].includes(status) && !headers.has('www-authenticate')
  if (!isForPerson) throw refusal
  return { verified: false, status, detail: refusal.message }
}
