import type { ConsoleRole } from '@switchboard/contract/auth/current-admin'
import type { Invitation } from '@switchboard/contract/invitations'
import { ROLE_LABELS } from '#src/users/role-labels.ts'
import type { Tone } from '#src/ui/badge/badge.tsx'

/** The permissions of each role, as a sentence. */
export const ROLE_HELP: Readonly<Record<ConsoleRole, string>> = {
  super_admin: 'Everything, including the team and security.',
  support: 'Reads everything; creates and edits tenants, users, API keys and tasks.',
  auditor: 'Reads everything, including activity and exports. Changes nothing.',
}

export const CONSOLE_ROLE_OPTIONS = [
  { value: 'support', label: ROLE_LABELS.support },
  { value: 'auditor', label: ROLE_LABELS.auditor },
  { value: 'super_admin', label: ROLE_LABELS.super_admin },
] satisfies { value: ConsoleRole; label: string }[]

/** State of an invitation, as a badge. */
export function invitationBadge(
  { expires_at, mail_state, mail_problem }: Pick<Invitation, 'expires_at' | 'mail_state' | 'mail_problem'>,
  now: number,
): { tone: Tone; text: string } {
  if (mail_state === 'failed') return { tone: 'bad', text: 'Mail failed' }
  if (mail_state === 'queued' && mail_problem !== null) return { tone: 'warn', text: 'Mail delayed' }
  if (mail_state === 'queued') return { tone: 'info', text: 'Sending mail' }
  if (Date.parse(expires_at) <= now) return { tone: 'neutral', text: 'Expired' }
  return mail_state === 'sent' ? { tone: 'ok', text: 'Mail sent' } : { tone: 'neutral', text: 'Link copied' }
}
