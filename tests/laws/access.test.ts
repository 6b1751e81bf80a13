import { foldEmail } from '@switchboard/contract/auth/email-address'
import { linkTokenHash } from '@switchboard/mail/links'
import { makeUser } from '@switchboard/testing/factories'
import { makeToken } from '@switchboard/testing/token-factory'
import { beforeEach, expect, test } from 'vitest'
import { resetSecondFactorOf } from '#apps/admin-api/src/auth/second-factors/reset-second-factor.service.ts'
import { startSsoWorld } from '#apps/admin-api/src/testing/sso-world.ts'
import { PASSWORD } from '#apps/admin-api/src/testing/test-api.ts'
import { resetPassword, revokeTokensOf } from '#apps/admin-api/src/users/super-admins.service.ts'

// A person who loses access must not keep any part of it. Tests every way to lose access with every kind of access, and
// again after every way to come back.

const { consoleUrl, api, provider, db, personAt, placeAfterSignIn } = await startSsoWorld()
const v1 = '/api/v1/admin'
const { host } = new URL(consoleUrl)
const NEW_PASSWORD = 'seven sisters walk at dusk'

beforeEach(async () => {
  await db.deleteFrom('sign_in_attempts').execute()
})

type Person = Awaited<ReturnType<typeof makePerson>>

/** A super admin from single sign-on who may use a password and has every kind of access, and a colleague. */
async function makePerson() {
  const password_hash = await api.deps.passwords.hash(PASSWORD)
  const ada = (await login((await makeUser(db, { password_hash })).email)).json().access_token
  const { subject, email, browser } = personAt()
  const { session } = await browser.signIn(subject)
  const { id } = session.admin
  await db.updateTable('users').set({ may_use_password: true, password_hash }).where('id', '=', id).execute()
  const password = (await login(email)).json().access_token
  const { token } = await makeToken(db, { created_by_id: id, expires_at: inAnHour() })

  const invite = async (bearer: string, address: string) => {
    const body = { email: address, role: 'super_admin' }
    const answer = await send('POST', '/invitations', { bearer, body })
    return answer.json().link.split('#')[1]
  }
  const sent = await invite(password, `accomplice-of-${email}`)
  // This invitation is older than the address of the account.
  const received = await invite(ada, `before-${email}`)
  const address = { email, folded_email: foldEmail(email) }
  await db.updateTable('links').set(address).where('email', '=', `before-${email}`).execute()
  const reset = `reset ${email}`
  const times = { created_at: new Date(), expires_at: inAnHour() }
  const link = { kind: 'password_reset' as const, ...address, user_id: id, token_hash: linkTokenHash(reset), ...times }
  await db.insertInto('links').values(link).execute()
  const person = { ada, id, email, subject, browser, bearers: { sso: session.access_token, password, token } }
  return { ...person, links: { sent, received, reset }, tenant: `t${crypto.randomUUID().slice(0, 8)}` }
}

/** Every kind of access, with a call that needs it and the status of this call while the access works. */
const KINDS = {
  'session by single sign-on': [({ bearers }: Person) => me(bearers.sso), 200],
  'session by password': [({ bearers }: Person) => me(bearers.password), 200],
  'service token': [({ bearers }: Person) => me(bearers.token), 200],
  // The first call creates the tenant, further calls get the stored answer.
  'kept answer': [({ bearers, tenant }: Person) => makeTenant(bearers.token, tenant), 201],
  'invitation that they sent': [
    ({ links }: Person) => send('POST', '/auth/invitations/read', { body: { token: links.sent } }),
    200,
  ],
  'invitation to them': [
    ({ links }: Person) => send('POST', '/auth/invitations/read', { body: { token: links.received } }),
    200,
  ],
  // The link is checked before the password, so a guessable password leaves the link usable.
  'reset link': [({ links }: Person) => tryReset(links.reset, 'password'), 422],
  password: [({ email }: Person) => login(email), 200],
} as const
type Kind = keyof typeof KINDS

const SESSIONS: Kind[] = ['session by single sign-on', 'session by password']
const TOKENS: Kind[] = ['service token', 'kept answer']
const GRANTS: Kind[] = [...TOKENS, 'invitation that they sent']
const ALL: Kind[] = [...SESSIONS, ...GRANTS, 'invitation to them', 'reset link', 'password']

type Way = {
  lose: (person: Person) => Promise<unknown>
  ended: Kind[]
  /** The way to come back. Everything that had ended stays ended, except `returned`. */
  back?: (person: Person) => Promise<unknown>
  returned?: Kind[]
}

const by = ({ ada }: Person, method: Method, path: string, body?: object) =>
  send(method, path, { bearer: ada, ...(body !== undefined && { body }) })
const bulk = (action: string) => (person: Person) =>
  by(person, 'POST', '/tenant-admins/bulk', { action, ids: [person.id] })
const update = (path: 'team' | 'tenant-admins', body: object) => (person: Person) =>
  by(person, 'PATCH', `/${path}/${person.id}`, body)
const toggle = (is_active: boolean) => (person: Person) =>
  by(person, 'PATCH', `/tenant-admins/${person.id}/toggle`, { is_active })
const undo = (person: Person) => by(person, 'POST', `/tenant-admins/${person.id}/restore`)
/** Signs in at the identity provider with other groups. */
const withGroups =
  (...groups: string[]) =>
  async (person: Person) => {
    provider.people.set(person.subject, { email: person.email, email_verified: true, groups })
    const place = await placeAfterSignIn(person)
    return place.includes('#sso=') ? await person.browser.exchange(place) : place
  }

// The person keeps the password: an admin decides to let them in again.
const out = { ended: ALL, returned: ['password'] satisfies Kind[] }
const WAYS: Record<string, Way> = {
  'a removal from the team': { ...out, lose: (person) => by(person, 'DELETE', `/team/${person.id}`), back: undo },
  'a deletion as a user': { ...out, lose: (person) => by(person, 'DELETE', `/tenant-admins/${person.id}`), back: undo },
  'a bulk deletion': { ...out, lose: bulk('delete'), back: bulk('restore') },
  'a deactivation in the team': {
    ...out,
    lose: update('team', { is_active: false }),
    back: update('team', { is_active: true }),
  },
  'a deactivation as a user': {
    ...out,
    lose: update('tenant-admins', { is_active: false }),
    back: update('tenant-admins', { is_active: true }),
  },
  'a toggle': { ...out, lose: toggle(false), back: toggle(true) },
  'a bulk deactivation': { ...out, lose: bulk('deactivate'), back: bulk('activate') },
  'a sign-in without a role at the identity provider': {
    ended: ALL,
    lose: withGroups(),
    back: withGroups('platform-admins'),
  },
  'a demotion to support': {
    ended: GRANTS,
    lose: update('team', { role: 'support' }),
    back: update('team', { role: 'super_admin' }),
  },
  'a demotion to auditor': {
    ended: GRANTS,
    lose: update('team', { role: 'auditor' }),
    back: update('team', { role: 'super_admin' }),
  },
  'a smaller role at the identity provider': {
    ended: GRANTS,
    lose: withGroups('helpers'),
    back: withGroups('platform-admins'),
  },
  'the end of the permission to use a password': {
    ended: ['session by password', 'reset link', 'password'],
    lose: update('team', { may_use_password: false }),
    back: update('team', { may_use_password: true }),
  },
  'a logout at the identity provider': {
    ended: ['session by single sign-on'],
    lose: ({ browser }) => browser.signOutThere(provider.issuer),
  },
  'another password by a link': {
    ended: [...SESSIONS, 'reset link', 'password'],
    lose: ({ links }) => tryReset(links.reset, NEW_PASSWORD),
  },
  'another password by a link that revokes the tokens': {
    ended: [...SESSIONS, ...TOKENS, 'reset link', 'password'],
    lose: ({ links }) => tryReset(links.reset, NEW_PASSWORD, { revoke_tokens: true }),
  },
  'another password in the settings': {
    // The calling session gets a new token.
    ended: [...SESSIONS, 'reset link', 'password'],
    lose: ({ bearers }) =>
      send('PUT', '/auth/profile', {
        bearer: bearers.password,
        body: { current_password: PASSWORD, new_password: NEW_PASSWORD },
      }),
  },
  'npm run admin -- reset-password': {
    ended: [...SESSIONS, 'reset link', 'password'],
    lose: ({ email }) => resetPassword(api.deps, email),
  },
  'npm run admin -- reset-second-factor': {
    ended: SESSIONS,
    lose: ({ email }) => resetSecondFactorOf(api.deps, email),
  },
  'npm run admin -- revoke-tokens': { ended: TOKENS, lose: ({ email }) => revokeTokensOf(api.deps, email) },
  'a reset of the second factor': {
    ended: SESSIONS,
    lose: (person) => by(person, 'DELETE', `/team/${person.id}/second-factor`),
  },
}

test.for(Object.entries(WAYS))('%s ends what it should, also after the way back', async ([, way]) => {
  const person = await makePerson()
  expect(await openTo(person)).toEqual(ALL)
  await way.lose(person)
  const kept = ALL.filter((kind) => !way.ended.includes(kind))
  expect(await openTo(person)).toEqual(kept)
  await way.back?.(person)
  expect(await openTo(person)).toEqual(ALL.filter((kind) => kept.includes(kind) || way.returned?.includes(kind)))
  expect(await unsafeRows()).toEqual({ tokens: [], invitations: [] })
})

test('the tokens of a maker without a second factor wait while one is required, and continue after the enrollment', async () => {
  const person = await makePerson()
  await db.updateTable('security_settings').set({ second_factor_required: true }).execute()
  const refused = await me(person.bearers.token)
  expect([refused.statusCode, refused.json().detail]).toEqual([
    403,
    'A second factor is required. The person who made this service token must add one first.',
  ])
  expect((await makeTenant(person.bearers.token, person.tenant)).statusCode).toBe(403)
  const factor = {
    kind: 'totp' as const,
    name: 'Phone',
    created_at: new Date(),
    totp_secret: Buffer.from('secret'),
    totp_step: 1,
  }
  await db
    .insertInto('second_factors')
    .values({ user_id: person.id, ...factor })
    .execute()
  expect((await me(person.bearers.token)).statusCode).toBe(200)
  await db.updateTable('security_settings').set({ second_factor_required: false }).execute()
})

test('an account that only uses single sign-on needs no second factor for its tokens', async () => {
  const { subject, browser } = personAt()
  const { session } = await browser.signIn(subject)
  const { token } = await makeToken(db, { created_by_id: session.admin.id, expires_at: inAnHour() })
  await db.updateTable('security_settings').set({ second_factor_required: true }).execute()
  expect((await me(token)).statusCode).toBe(200)
  await db.updateTable('security_settings').set({ second_factor_required: false }).execute()
})

test('the last active super admin keeps access if the identity provider gives no role', async () => {
  const person = await makePerson()
  await db.updateTable('users').set({ is_active: false }).where('id', '!=', person.id).execute()
  await withGroups()(person)
  expect(await openTo(person)).toEqual(ALL.filter((kind) => kind !== 'invitation to them'))
})

/** The kinds of access that a person has. */
async function openTo(person: Person): Promise<Kind[]> {
  const open: Kind[] = []
  for (const kind of ALL) {
    const [ask, status] = KINDS[kind]
    if ((await ask(person)).statusCode === status) open.push(kind)
  }
  return open
}

/** Live tokens and invitations of people who are not active super admins. */
async function unsafeRows() {
  const admins = db.selectFrom('users').select('id').where('role', '=', 'super_admin').where('is_active', '=', true)
  const tokens = db.selectFrom('service_tokens').select('name').where('revoked_at', 'is', null)
  const invitations = db.selectFrom('links').select('email').where('kind', '=', 'invitation')
  return {
    tokens: await tokens.where('created_by_id', 'not in', admins).execute(),
    invitations: await invitations.where('invited_by_id', 'not in', admins).execute(),
  }
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
type Sent = { bearer?: string; body?: object; headers?: Record<string, string> }

/** Calls the public address like a browser. */
function send(method: Method, path: string, { bearer, body, headers = {} }: Sent = {}) {
  const authorization = bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }
  return api.call({
    method,
    url: `${v1}${path}`,
    headers: { host, ...headers, ...authorization },
    ...(body && { body }),
  })
}

function login(email: string) {
  return send('POST', '/auth/login', { body: { email, password: PASSWORD } })
}

function me(bearer: string) {
  return send('GET', '/auth/me', { bearer })
}

function makeTenant(bearer: string, subdomain: string) {
  const body = { name: 'Harbor', subdomain, tenant_type: 'product' }
  return send('POST', '/tenants', { bearer, body, headers: { 'idempotency-key': subdomain } })
}

function tryReset(token: string, password: string, more: object = {}) {
  return send('POST', '/auth/reset-password', { body: { token, password, ...more } })
}

function inAnHour(): Date {
  return new Date(Date.now() + 3_600_000)
}
