import * as z from 'zod/mini'

/** Proofs of a second factor. `totp` is the code of an authenticator app. */
export const secondFactorMethod = z.enum(['totp', 'passkey', 'recovery_code'])
export type SecondFactorMethod = z.infer<typeof secondFactorMethod>
