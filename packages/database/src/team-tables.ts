import type { ConsoleRole } from '@switchboard/contract/auth/current-admin'
import type { LinkKind } from '@switchboard/contract/links'
import type { MailState } from '@switchboard/contract/mail'
import type { Generated } from 'kysely'
import type { GeneratedMoment, Moment, ReadOnly } from './column-types.ts'
import type { Scope } from '@switchboard/contract/tokens/scopes'

/** The tables of sign-ins and of the people who run the console, as in `tables.ts`. */
export interface TeamTables {
  account_notices: {
    id: Generated<string>
    mail_to: string
    account: string
    changes: string[]
    changed_by: string
    address: string | null
    changed_at: Moment
    mail_state: Generated<MailState>
    mail_attempts: Generated<number>
    mail_problem: string | null
  }

  idempotency_keys: {
    id: Buffer
    fingerprint: Buffer
    request_id: string
    claimed_at: Moment
    status: number | null
    answer: Buffer | null
  }

  known_devices: {
    id: Generated<string>
    user_id: string
    network: string
    device: string
    address: string
    first_at: Moment
    last_at: Moment
    session_id: string | null
    is_noticed: Generated<boolean>
    mail_to: string | null
    mail_state: MailState | null
    mail_attempts: Generated<number>
    mail_problem: string | null
  }

  service_tokens: {
    id: Generated<string>
    name: string
    scopes: Scope[]
    tenant_ids: Generated<string[]>
    token_hash: Buffer
    token_start: string
    networks: Generated<string[]>
    created_by_id: string | null
    created_by_email: string
    created_at: Moment
    expires_at: Moment
    last_used_at: Moment | null
    last_used_address: string | null
    refused_at: Moment | null
    revoked_at: Moment | null
  }

  sessions: {
    id: Generated<string>
    user_id: string
    token_hash: Buffer
    created_at: Moment
    last_seen_at: Moment
    expires_at: Moment
    address: string | null
    user_agent: string | null
    confirmed_at: GeneratedMoment
    confirmed_with_factor_at: Moment | null
    sso_identity_id: string | null
    sso_sid: string | null
  }

  links: {
    id: Generated<string>
    kind: LinkKind
    email: string
    folded_email: string
    role: ConsoleRole | null
    invited_by: string | null
    invited_by_id: string | null
    user_id: string | null
    portal_url: string | null
    token_hash: Buffer | null
    created_at: Moment
    expires_at: Moment
    mail_state: MailState | null
    mail_attempts: Generated<number>
    mail_problem: string | null
  }

  sign_in_attempts: {
    id: ReadOnly<number>
    account: Buffer
    address: string
    at: Moment
    is_known: Generated<boolean>
    is_forgiven: Generated<boolean>
  }

  sign_in_refusals: {
    action: string
    address: string
    began_at: Moment
    refusals: number
  }

  sso_codes: {
    code_hash: Buffer
    browser_hash: Buffer
    issuer: string
    subject: string
    email: string | null
    is_email_verified: boolean | null
    name: string | null
    role: ConsoleRole
    sid: string | null
    expires_at: Moment
  }

  sso_flows: {
    state_hash: Buffer
    browser_hash: Buffer
    nonce: string
    code_verifier: string
    redirect: string | null
    address: string
    expires_at: Moment
  }

  sso_identities: {
    id: Generated<string>
    issuer: string
    subject: string
    user_id: string
    created_at: Moment
  }

  sso_logout_tokens: {
    jti_hash: Buffer
    expires_at: Moment
  }
}
