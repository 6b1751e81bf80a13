import * as z from 'zod/mini'
import { ownSession } from './account.ts'
import { emailChange } from './email-changes.ts'
import { consoleRole, currentAdmin } from '#src/auth/current-admin.ts'
import { secondFactor } from '#src/second-factors.ts'
import { serviceToken } from '#src/tokens.ts'
import { endpoint } from '#src/wire/endpoint.ts'
import { errorBody, lastEdit } from '#src/wire/errors.ts'
import { ifMatchHeaders } from '#src/wire/if-match.ts'
import { moment } from '#src/wire/text.ts'

/** Ways to sign in: at the identity provider, or with a password. */
const signInWay = z.enum(['single_sign_on', 'password'])

/** A person who runs the console: a user without a tenant. */
export const member = z.extend(currentAdmin, {
  /** The last sign-in. Null before the first. */
  last_sign_in_at: z.nullable(moment),
  /** Kinds of the member's second factors. Empty: the password is enough to sign in. */
  second_factors: z.array(secondFactor.shape.kind),
  /** How the member signs in. Empty for an account that has no way to sign in yet. */
  sign_in_methods: z.array(signInWay),
  /** Whether the member may sign in with a password. Otherwise "Forgot password?" sends none. */
  may_use_password: z.boolean(),
  /** Number of live sessions. */
  open_session_count: z.int(),
  /** The open change of the email address. Null without one. */
  email_change: z.nullable(emailChange),
  /** Live service tokens that the member made. */
  tokens: z.array(z.pick(serviceToken, { id: true, name: true })),
  /** Number of open invitations that the member sent. */
  invitation_count: z.int(),
  /** Grows with every saved change. `If-Match` takes it. */
  version: z.int(),
})
export type Member = z.infer<typeof member>

/**
 * Fields of a member to change; fields left out stay as they are.
 * @example {"role":"auditor"}
 */
export const updateMemberBody = z.partial(
  z.strictObject({
    /** New role of the member. */
    role: consoleRole,
    /** Whether the member may sign in. */
    is_active: z.boolean(),
    /** Whether the member may sign in with a password besides single sign-on. */
    may_use_password: z.boolean(),
  }),
)
export type UpdateMemberBody = z.infer<typeof updateMemberBody>

/** The answer to a stale `If-Match`: the current member, the last editor and the time of the edit. */
export const staleMember = z.extend(errorBody, {
  /** The record as it is now. */
  current: member,
  ...lastEdit,
})

/** A live session of a member. */
export const memberSession = z.omit(ownSession, { is_current: true })
export type MemberSession = z.infer<typeof memberSession>

const url = '/api/v1/admin/team'
const tags = ['Team']
const config = { capability: 'team' } as const
const sensitive = { ...config, confirmed: true } as const
const params = z.strictObject({
  /** Id of the member. */
  id: z.uuid(),
})

/** Everyone who runs the console, by email address. */
export const listTeam = endpoint('GET', url, {
  config,
  operationId: 'team.list',
  summary: 'List the team',
  tags,
  response: { 200: z.array(member) },
})

/**
 * Changes the role or the status of a member, or whether they may use a password besides single sign-on. Sessions
 * continue with a new role. A deactivation ends sessions and links. A member who is no longer an active super admin
 * permanently loses their service tokens and the invitations that they sent. A member who may no longer use a password
 * loses the password and its sessions. A stale `If-Match: "version"` gets 412. 404 for a user of a
 * tenant, 409 for the caller's own account, for the last active super admin, and for the password of a member who has
 * never used single sign-on.
 */
export const updateMember = endpoint('PATCH', `${url}/:id`, {
  config: sensitive,
  operationId: 'team.update',
  summary: 'Change the role, the status or the password permission of a member',
  tags,
  params,
  headers: ifMatchHeaders,
  body: updateMemberBody,
  response: { 200: member, 412: staleMember },
})

/**
 * Removes a member with all sessions, links and invitations, and revokes their service tokens. 404 for a user of a
 * tenant, 409 for the caller's own account and for the last active super admin.
 */
export const removeMember = endpoint('DELETE', `${url}/:id`, {
  config: sensitive,
  operationId: 'team.remove',
  summary: 'Remove a member',
  tags,
  params,
  response: { 204: z.null() },
})

/** Live sessions, most recently used first. 404 for a user of a tenant. */
export const listMemberSessions = endpoint('GET', `${url}/:id/sessions`, {
  config,
  operationId: 'team.list_sessions',
  summary: 'List the sessions of a member',
  tags,
  params,
  response: { 200: z.array(memberSession) },
})

/** 404 for the session of another account, 409 for the caller's own account. */
export const endMemberSession = endpoint('DELETE', `${url}/:id/sessions/:session_id`, {
  config: sensitive,
  operationId: 'team.end_session',
  summary: 'End a session of a member',
  tags,
  params: z.strictObject({
    /** Id of the member. */
    id: z.uuid(),
    /** Id of the session. */
    session_id: z.uuid(),
  }),
  response: { 204: z.null() },
})

/** 404 for a user of a tenant, 409 for the caller's own account. */
export const endMemberSessions = endpoint('DELETE', `${url}/:id/sessions`, {
  config: sensitive,
  operationId: 'team.end_sessions',
  summary: 'End all sessions of a member',
  tags,
  params,
  response: { 204: z.null() },
})
