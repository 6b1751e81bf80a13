import * as z from 'zod/mini'
import { passkeyAnswer, passkeyRequest } from '#src/second-factors/passkeys.ts'
import { text } from '#src/wire/text.ts'
import { secondFactorMethod } from './second-factor-method.ts'

/** Digits of a code, and the seconds for which a code is shown (RFC 6238). */
export const TOTP_DIGITS = 6
export const TOTP_SECONDS = 30
/** Steps before and after the current step whose codes are accepted. */
export const TOTP_WINDOW = 1
/** Lifetime of a challenge. */
export const CHALLENGE_MINUTES = 5
/** Wrong answers that end a challenge. */
export const CHALLENGE_ANSWERS_MAX = 5

/** The answer to the right password of an account with a second factor. */
export const SECOND_FACTOR_NEEDED = 'Confirm the sign-in with your second factor.'
/** `code` of the answer to an expired, used or unknown challenge, and to the last wrong answer. */
export const CHALLENGE_ENDED = 'challenge_ended'

/** The open second step of a sign-in, with its methods. `passkey` is the request for the browser. */
export const signInChallenge = z.object({
  /** Id of the challenge. */
  id: z.uuid(),
  /** Methods that answer the challenge. */
  methods: z.array(secondFactorMethod),
  /** Request for the browser. Null for an account without a passkey. */
  passkey: z.nullable(passkeyRequest),
})
export type SignInChallenge = z.infer<typeof signInChallenge>

export const totpCode = text(TOTP_DIGITS).check(z.regex(/^\d{6}$/, `Enter the ${TOTP_DIGITS} digits.`))

/** The fields of a proof. A body has exactly one: see `hasOneProof`. */
export const proofFields = {
  /** Code of an authenticator app, six digits. */
  code: z.optional(totpCode),
  /** One of the unused recovery codes. */
  recovery_code: z.optional(text(60)),
  /** Signature of a passkey. */
  passkey: z.optional(passkeyAnswer),
}
/** One code, recovery code or passkey. */
export type SecondFactorProof = z.infer<z.ZodMiniObject<typeof proofFields>>

export const ONE_PROOF = 'Send either a code, a recovery code or a passkey.'
export function hasOneProof({ code, recovery_code, passkey }: SecondFactorProof): boolean {
  return [code, recovery_code, passkey].filter((proof) => proof !== undefined).length === 1
}
