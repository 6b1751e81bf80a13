import type { ConsoleRole } from '@switchboard/contract/auth/current-admin'
import type { LinkKind } from '@switchboard/contract/links'
import type { MailState } from '@switchboard/contract/mail'
import type { Generated } from 'kysely'
import type { Moment } from './column-types.ts'

/** The tables of the people who run the console, as in `tables.ts`. */
export interface TeamTables {
  links: {
    id: Generated<string>
    kind: LinkKind
    email: string
    role: ConsoleRole | null
    invited_by: string | null
    user_id: string | null
    token_hash: Buffer | null
    created_at: Moment
    expires_at: Moment
    mail_state: MailState | null
    mail_attempts: Generated<number>
    mail_problem: string | null
  }
}
