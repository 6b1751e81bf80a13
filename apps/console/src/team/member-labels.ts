import type { ConsoleRole } from '@switchboard/contract/auth/current-admin'
import type { Member } from '@switchboard/contract/team'
import { counted } from '#src/lib/format/count.ts'
import { ROLE_LABELS } from '#src/users/role-labels.ts'

/** The roles of members, each with its permissions in a sentence. */
export const MEMBER_ROLES = [
  { value: 'super_admin', label: ROLE_LABELS.super_admin, help: 'Everything, also the team.' },
  {
    value: 'support',
    label: ROLE_LABELS.support,
    help: 'Sees everything. Creates and edits tenants, users, API keys and tasks. Deletes and publishes nothing.',
  },
  { value: 'auditor', label: ROLE_LABELS.auditor, help: 'Sees and exports everything. Changes nothing.' },
] satisfies { value: ConsoleRole; label: string; help: string }[]

const SECOND_FACTOR_LABELS = { totp: 'App', passkey: 'Passkey' } satisfies Record<
  Member['second_factors'][number],
  string
>

/** The kinds of second factors: "App, Passkey". */
export function secondFactorsText(kinds: Member['second_factors']): string {
  return kinds.map((kind) => SECOND_FACTOR_LABELS[kind]).join(', ')
}

/** Whether only a password protects an account. An identity provider asks for a second factor itself. */
export function hasOnlyPassword({
  second_factors,
  sign_in_methods,
}: Pick<Member, 'second_factors' | 'sign_in_methods'>): boolean {
  return second_factors.length === 0 && sign_in_methods.includes('password')
}

const SIGN_IN_LABELS = { single_sign_on: 'Single sign-on', password: 'Password' } satisfies Record<
  Member['sign_in_methods'][number],
  string
>

/**
 * How a member signs in: "Single sign-on", "Password", both, or "Single sign-on, may also use a password" while no
 * password is chosen.
 */
export function signInText({
  sign_in_methods: methods,
  may_use_password,
}: Pick<Member, 'sign_in_methods' | 'may_use_password'>): string {
  if (methods.length === 0) return 'No password yet'
  const text = methods.map((method) => SIGN_IN_LABELS[method]).join(', ')
  return may_use_password && !methods.includes('password') ? `${text}, may also use a password` : text
}

/** What a member loses: "2 open sessions", "1 service token: Billing", "1 invitation that they sent". */
export function endingTexts(
  { open_session_count, tokens, invitation_count }: Pick<Member, 'open_session_count' | 'tokens' | 'invitation_count'>,
  { keepsSessions }: { keepsSessions: boolean },
): string[] {
  const names = tokens.map(({ name }) => name).join(', ')
  return [
    ...(open_session_count === 0 || keepsSessions ? [] : [counted(open_session_count, 'open session')]),
    ...(tokens.length === 0 ? [] : [`${counted(tokens.length, 'service token')}: ${names}`]),
    ...(invitation_count === 0 ? [] : [`${counted(invitation_count, 'invitation')} that they sent`]),
  ]
}
