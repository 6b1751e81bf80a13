import type { SecondFactor } from '@switchboard/contract/second-factors'
import type { Generated } from 'kysely'
import type { Moment } from './column-types.ts'

/** The step that an answered challenge allows: a session, a new second factor, or a confirmed change. */
export type ChallengePurpose = 'sign_in' | 'enrollment' | 'confirmation'

/** The tables of second factors, a part of `Database`. */
export interface SecondFactorTables {
  recovery_codes: {
    user_id: string
    code_hash: Buffer
    used_at: Moment | null
  }

  second_factors: {
    id: Generated<string>
    user_id: string
    kind: SecondFactor['kind']
    name: string
    created_at: Moment
    last_used_at: Moment | null
    /** Encrypted by `SECRETS_KEY`, or 20 bytes. */
    totp_secret: Buffer | null
    totp_step: number | null
    credential_id: string | null
    public_key: Buffer | null
    sign_count: number | null
    transports: string[] | null
    is_user_verifying: Generated<boolean>
  }

  security_settings: {
    is_only: Generated<boolean>
    second_factor_required: Generated<boolean>
  }

  sign_in_challenges: {
    id: Generated<string>
    user_id: string | null
    purpose: ChallengePurpose
    created_at: Moment
    expires_at: Moment
    failures: Generated<number>
    webauthn_challenge: string
    totp_secret: Buffer | null
    attempt_id: number | null
    address: string | null
    user_agent: string | null
  }
}
