import { ADMIN_API_ENDPOINTS } from '@switchboard/contract/admin-api'
import { CONFIRM_FIRST, CONFIRMATION_REQUIRED } from '@switchboard/contract/auth/confirmed'
import type { Endpoint } from '@switchboard/contract/wire/endpoint'
import { createMailer } from '@switchboard/mail/mailer'
import { deleteRecord, makeUser } from '@switchboard/testing/factories'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { type JSONSchema, toJSONSchema } from 'zod/v4/core'
import { startSession } from '#apps/admin-api/src/auth/sessions/sessions.service.ts'
import { startTestApi } from '#apps/admin-api/src/testing/test-api.ts'
import { goodPath, makeGoodCalls } from './good-calls.ts'

// A stolen session must not be able to take over another account, so every change of an account of the console asks for
// a confirmation.

type Body = Record<string, unknown>

/** Every call that changes an account of the console, or its ways to sign in, as the walk below finds them. */
const CHANGES = [
  'email_changes.cancel',
  'email_changes.resend',
  'invitations.create',
  'invitations.resend',
  'second_factors.delete',
  'second_factors.renew_codes',
  'second_factors.reset',
  'team.end_sessions',
  'team.remove',
  'team.update',
  'tokens.create',
  'tokens.revoke',
  'users.bulk',
  'users.delete',
  'users.restore',
  'users.toggle',
  'users.update',
]

const FACTOR = {
  kind: 'totp' as const,
  name: 'Phone',
  created_at: new Date('2026-11-20T09:00:00.000Z'),
  totp_secret: Buffer.from('four kettles of plum'),
  totp_step: 1,
}

const EMAIL_CHANGE = {
  kind: 'email_change' as const,
  email: 'pending@example.com',
  folded_email: 'pending@example.com',
  invited_by: 'ada@example.com',
  created_at: new Date('2026-11-20T09:00:00.000Z'),
  expires_at: new Date('2030-01-01T00:00:00.000Z'),
}

const mailer = createMailer(
  {
    smtpUrl: 'smtp://127.0.0.1:1',
    from: { address: 'console@example.com' },
    consoleUrl: 'https://console.example.com',
  },
  'Switchboard',
)
// The queue is another system.
const { app, db, deps, clock } = await startTestApi({ mailer, mails: { enqueue: async () => undefined } })
const caller = await makeUser(db)
const newSession = () => startSession(deps, db, { user_id: caller.id, address: null, user_agent: null })
await newSession()
const good = await makeGoodCalls(db, caller.id)
// Calls that end the rows of other calls come last.
const calls = (ADMIN_API_ENDPOINTS satisfies readonly Endpoint[])
  .filter(({ method, config }) => method !== 'GET' && config?.public !== true && config?.reads !== true)
  .toSorted((one, other) => Number(one.method === 'DELETE') - Number(other.method === 'DELETE'))

test('no call changes an account of the console without a confirmation, and every such call asks for one', async () => {
  const changing = new Set<string>()
  const unasked = new Set<string>()
  for (const endpoint of calls) {
    for (const { path, body } of await variantsOf(endpoint)) {
      const before = await accounts()
      const asked = await send(endpoint, path, body, new Date(clock.at.getTime() - 3_600_000))
      const isAsked = asked === 403
      if ((await accounts()) !== before) unasked.add(endpoint.schema.operationId)
      await send(endpoint, path, body, clock.at)
      if ((await accounts()) === before) continue
      changing.add(endpoint.schema.operationId)
      if (!isAsked) unasked.add(endpoint.schema.operationId)
    }
  }
  expect([...unasked]).toEqual([])
  expect([...changing].toSorted()).toEqual(CHANGES)
})

/**
 * Sends a call with a new session of the caller, confirmed at this time. Returns 403 only if a confirmation is missing.
 */
async function send({ method }: Endpoint, path: string, body: Body | undefined, confirmedAt: Date): Promise<number> {
  const { session_id, access_token } = await newSession()
  // The caller has a second factor.
  const confirmed = { confirmed_at: confirmedAt, confirmed_with_factor_at: confirmedAt }
  await db.updateTable('sessions').set(confirmed).where('id', '=', session_id).execute()
  const answer = await app.inject({
    method,
    url: path,
    headers: { authorization: `Bearer ${access_token}` },
    ...(body !== undefined && { payload: body }),
  })
  if (answer.statusCode !== 403) return answer.statusCode
  const isConfirmation = answer.body === JSON.stringify({ detail: CONFIRM_FIRST, code: CONFIRMATION_REQUIRED })
  return isConfirmation ? 403 : 0
}

/**
 * The good call. If it names a user, it is made for a member and for a removed member, with the good body, with each
 * field of the body separately, and with every value of its choices.
 */
async function variantsOf(endpoint: Endpoint): Promise<{ path: string; body: Body | undefined }[]> {
  const body = good.bodies[endpoint.schema.operationId]
  const namesUser = body?.['ids'] !== undefined || goodPath(endpoint, good.ids) !== pathOf(endpoint, 'other')
  if (!namesUser) return [{ path: goodPath(endpoint, good.ids), body }]
  const variants = []
  for (const isRemoved of [false, true]) {
    for (const fields of body === undefined ? [undefined] : bodiesOf(endpoint, body)) {
      // A member for each call, because an earlier call may have removed the others.
      const { id } = await makeUser(db, { role: 'support' })
      await startSession(deps, db, { user_id: id, address: null, user_agent: null })
      await db
        .insertInto('second_factors')
        .values({ ...FACTOR, user_id: id })
        .execute()
      await db
        .insertInto('links')
        .values({ ...EMAIL_CHANGE, user_id: id })
        .execute()
      if (isRemoved) await deleteRecord(db, 'users', id)
      variants.push({
        path: pathOf(endpoint, id),
        body: fields?.['ids'] === undefined ? fields : { ...fields, ids: [id] },
      })
    }
  }
  return variants
}

function pathOf(endpoint: Endpoint, memberId: string): string {
  return goodPath(endpoint, { ...good.ids, users: memberId, team: memberId })
}

function bodiesOf({ schema }: Endpoint, body: Body): Body[] {
  if (schema.body === undefined) return [body]
  const { properties = {} }: JSONSchema.BaseSchema = toJSONSchema(schema.body, { io: 'input', unrepresentable: 'any' })
  return [
    body,
    ...Object.entries(body).map(([name, value]) => ({ [name]: value })),
    ...Object.entries(properties).flatMap(([name, property]) =>
      choicesOf(property).map((choice) => ({ ...(name === 'action' && body), [name]: choice })),
    ),
  ]
}

function choicesOf(property: JSONSchema.JSONSchema | boolean): readonly unknown[] {
  if (typeof property === 'boolean') return []
  return property.type === 'boolean' ? [true, false] : (property.enum ?? [])
}

/**
 * A digest of the accounts of the console with everything that gives access to them, except the sessions that this test
 * begins.
 */
async function accounts(): Promise<string> {
  const { rows } = await sql<{ digest: string }>`
    select md5(string_agg(row::text, ',' order by row::text)) as digest from (
      select to_jsonb(users) - 'last_sign_in_at' as row from users where tenant_id is null
      union all select to_jsonb(second_factors) from second_factors
      union all select to_jsonb(recovery_codes) from recovery_codes
      union all select to_jsonb(sso_identities) from sso_identities
      union all select to_jsonb(links) from links
      union all select to_jsonb(service_tokens) from service_tokens
      union all select to_jsonb(deletions) from deletions where is_root and root_table = 'users' and record ->> 'tenant_id' is null
      union all select to_jsonb(sessions) from sessions where user_id <> ${caller.id}
    ) as rows`.execute(db)
  return rows[0]?.digest ?? ''
}
