import { execFileSync } from 'node:child_process'
import path from 'node:path'
import { createApiKey, deleteApiKey, listApiKeys, rotateApiKey, toggleApiKey } from '@switchboard/contract/api-keys'
import { apiKeyList } from '@switchboard/contract/api-keys/key-list'
import { login } from '@switchboard/contract/auth'
import { logout, me } from '@switchboard/contract/auth/session'
import { checkLinkPassword } from '@switchboard/contract/auth/passwords'
import { authorizeKey, verifyKey } from '@switchboard/contract/api-keys/key-verification'
import { acceptInvitation, createInvitation, listInvitations, readInvitation } from '@switchboard/contract/invitations'
import { forgotPassword, resetPassword } from '@switchboard/contract/password-resets'
import { listSessions, updateProfile } from '@switchboard/contract/account'
import { createUser, setUserPassword, userList } from '@switchboard/contract/users'
import { changeUserPassword, verifyUser } from '@switchboard/contract/users/user-verification'
import { createToken, listTokens } from '@switchboard/contract/tokens'
import { tenantList } from '@switchboard/contract/tenants'
import { makeSecret, makeTenant } from '@switchboard/testing/factories'
import type { Database } from '@switchboard/database/tables'
import { type Kysely, sql } from 'kysely'
import type { SecretCaller } from './secret-caller.ts'

const root = path.resolve(import.meta.dirname, '../..')

export type World = {
  db: Kysely<Database>
  dataDir: string
  /** The super admin, whose password the caller knows as a secret. */
  email: string
  password: string
  tenantName: string
}

/** All uses of secrets by people and programs, right and wrong. */
export async function tellSecretStories(caller: SecretCaller, world: World): Promise<void> {
  const token = await caller.receive('access token', 'access_token', login, {
    body: { email: world.email, password: world.password },
  })
  const tenant = await makeTenant(world.db, { name: world.tenantName })
  await people(caller, token.given, tenant.id)
  await portal(caller, token.given, tenant.id)
  await invitations(caller, token.given)
  await keys(caller, token.given, tenant.id)
  await machines(caller, token.given, tenant.id)
  await wrongPlaces(caller, token.given, tenant.id)
  await brokenDatabase(caller, world, token.given, tenant.id)
  await ownAccount(caller, world, token.given)
}

async function people({ call, secret }: SecretCaller, token: string, tenant_id: string): Promise<void> {
  const user = { email: 'user@example.com', role: 'user', tenant_id }
  const password = secret('password of a new user')
  const body = { ...user, password }
  await call(createUser, { token, body })
  await call(createUser, { token, body })
  await call(createUser, {
    token,
    body: { ...body, password: secret('password that is easy to guess', `${user.email}7c1`) },
  })
  await call(createUser, { token, body: { ...body, password: secret('password that is too long').repeat(9) } })
  await call(createUser, { token, body: { ...body, password: [secret('password in a list')] } })
  await call(createUser, { token, body: { ...body, password_hash: secret('password in an unknown field') } })
  const unknown = { id: '6f6f1b0e-0000-4000-8000-000000000000' }
  await call(setUserPassword, { token, params: unknown, body: { password: secret('password of an unknown user') } })
  await call(userList.list, { token })
  await call(userList.export, { token })
  await call(login, { body: { email: user.email, password } })
  await call(login, { body: { email: 'nobody@example.com', password: secret('guess at nobody') } })
  await call(login, { body: { email: secret('password typed as email'), password: secret('guess beside it') } })
  await call(login, {
    body: { email: user.email, password: secret('guess'), otp: secret('guess in an unknown field') },
  })
}

async function invitations({ call, receive, secret }: SecretCaller, token: string): Promise<void> {
  const body = { email: 'invited@example.com', role: 'support' }
  const { given } = await receive('link of an invitation', 'link', createInvitation, { token, body })
  const linkToken = secret('token of a link', given.slice(given.indexOf('#') + 1))
  const password = secret('password of an invited person')
  await call(listInvitations, { token })
  await call(readInvitation, { body: { token: linkToken } })
  await call(readInvitation, { body: { token: secret('unknown token of a link') } })
  await call(checkLinkPassword, { body: { kind: 'invitation', token: linkToken, password } })
  await call(resetPassword, { body: { token: linkToken, password } })
  await call(acceptInvitation, { body: { token: linkToken, password: secret('guessable password', 'invited7c1x') } })
  await call(acceptInvitation, { body: { token: linkToken, password } })
  await call(acceptInvitation, { body: { token: linkToken, password } })
  await call(forgotPassword, { body: { email: secret('password typed as a forgotten address') } })
}

async function portal({ call, receive, secret }: SecretCaller, token: string, tenant_id: string): Promise<void> {
  const key = await receive('API key of a portal', 'api_key', createApiKey, { token, body: { tenant_id } })
  const headers = { 'x-api-key': key.given }
  const email = 'visitor@example.com'
  const [password, new_password] = [secret('password of a visitor'), secret('new password of a visitor')]
  await call(createUser, { token, body: { email, password, role: 'user', tenant_id } })
  await call(verifyUser, { headers, body: { email, password } })
  await call(verifyUser, { headers, body: { email, password: secret('guess at a visitor') } })
  await call(verifyUser, { headers, body: { email: secret('password typed as email of a visitor'), password } })
  await call(verifyUser, { headers, body: { email, password, client_address: secret('address of a visitor') } })
  await call(verifyUser, { headers: { 'x-api-key': secret('refused key of a portal') }, body: { email, password } })
  const guessable = secret('guessable password of a visitor', `${email}9d2`)
  await call(changeUserPassword, { headers, body: { email, password, new_password: guessable } })
  await call(changeUserPassword, { headers, body: { email, password, new_password } })
  await call(verifyUser, { headers, body: { email, password: new_password } })
}

async function keys({ call, receive, secret }: SecretCaller, token: string, tenant_id: string): Promise<void> {
  const first = await receive('API key', 'api_key', createApiKey, { token, body: { tenant_id } })
  const params = { key_id: first.id, tenant_id }
  const second = await receive('rotated API key', 'api_key', rotateApiKey, {
    token,
    params,
    body: { grace_seconds: 900 },
  })
  await call(rotateApiKey, { token, params, body: { grace_seconds: 900 } })
  await call(listApiKeys, { token, params })
  await call(apiKeyList.list, { token })
  await call(apiKeyList.export, { token })
  for (const { given } of [first, second]) {
    await call(verifyKey, { body: { api_key: given, origin: 'https://api.switchboard.example' } })
    await call(authorizeKey, { token: given })
    await call(authorizeKey, { headers: { 'x-api-key': given } })
  }
  const bound = await receive('API key of one origin', 'api_key', createApiKey, {
    token,
    body: { tenant_id, allowed_origins: ['https://shop.example.com'] },
  })
  await call(verifyKey, { body: { api_key: bound.given, origin: 'https://other.example.com' } })
  await call(toggleApiKey, { token, params: { key_id: second.id }, body: { is_active: false } })
  await call(verifyKey, { body: { api_key: second.given } })
  await call(deleteApiKey, { token, params: { key_id: second.id } })
  await call(verifyKey, { body: { api_key: secret('unknown API key', makeSecret().api_key) } })
  await call(verifyKey, { body: { api_key: secret('malformed API key') } })
}

/** Stored answers and fingerprints of calls with an `Idempotency-Key` contain no secret. */
async function machines({ call, receive, secret }: SecretCaller, token: string, tenant_id: string): Promise<void> {
  const body = { name: 'Nightly', scopes: ['read', 'users:write', 'keys:write', 'keys:verify'] }
  const machine = await receive('service token', 'token', createToken, { token, body })
  const headers = { 'idempotency-key': secret('idempotency key') }
  const as = { token: machine.given, headers }
  await receive('API key in a stored answer', 'api_key', createApiKey, { ...as, body: { tenant_id } })
  const user = { email: 'nightly@example.com', role: 'user', tenant_id, password: secret('password with a key') }
  await call(createUser, { ...as, body: user })
  await call(createUser, { token: machine.given, headers: { 'idempotency-key': 'once' }, body: user })
  await call(createUser, { token: machine.given, headers: { 'idempotency-key': 'once' }, body: user })
  await call(listTokens, { token })
  await call(listTokens, { token: machine.given })
  await call(verifyKey, {
    token: machine.given,
    body: { api_key: secret('key checked by a service token', makeSecret().api_key) },
  })
  await call(tenantList.list, { token: machine.given, search: '?limit=1' })
  const other = { name: 'Elsewhere', scopes: ['read'], networks: ['203.0.113.0/24'] }
  const elsewhere = await receive('service token of another network', 'token', createToken, { token, body: other })
  await call(tenantList.list, { token: elsewhere.given, search: '?limit=1' })
}

/** Where people and programs put secrets by mistake. */
async function wrongPlaces({ call, secret }: SecretCaller, token: string, tenant_id: string): Promise<void> {
  const misplaced = (where: string) => secret(`secret in ${where}`, makeSecret().api_key)
  await call(verifyKey, { body: { api_key: misplaced('a known field'), secret: misplaced('an unknown field') } })
  await call(verifyKey, { body: { api_key: { value: misplaced('an object') } } })
  await call(verifyKey, { body: `{"api_key": "${misplaced('half a body')}` })
  await call(verifyKey, { body: misplaced('a plain body'), headers: { 'content-type': 'text/plain' } })
  await call(verifyKey, { search: `?api_key=${misplaced('a query')}`, body: {} })
  await call(authorizeKey, { search: `?api_key=${misplaced('the query of a gateway')}` })
  await call(authorizeKey, { headers: { authorization: `Basic ${btoa(misplaced('basic credentials'))}` } })
  await call(authorizeKey, {
    headers: { cookie: `key=${misplaced('a cookie')}`, referer: `http://x/${misplaced('a referrer')}` },
  })
  await call({ method: 'GET', url: `/v1/keys/${misplaced('an unknown path')}` })
  await call({ method: 'GET', url: `${verifyKey.url}/${misplaced('a path')}` })
  await call(
    { method: 'DELETE', url: verifyKey.url },
    { search: `?key=${misplaced('the query of an unknown method')}` },
  )
  await call({ method: 'GET', url: `/api/v1/admin/${misplaced('an unknown path of the admin API')}` })
  await call({ method: 'GET', url: '/sign-in' }, { search: `?token=${misplaced('the query of a page')}` })
  await call(toggleApiKey, { token, params: { key_id: misplaced('an id') }, body: {} })
  await call(tenantList.list, { token, search: `?limit=1&cursor=${misplaced('a cursor')}` })
  await call(tenantList.list, { token, search: `?token=${misplaced('a query of the admin API')}` })
  await call(tenantList.list, { token: misplaced('the access token') })
  await call(createApiKey, { token, body: { tenant_id, expires_at: misplaced('a moment') } })
  for (const server of ['ops', 'aiOps'] as const) await call({ method: 'GET', url: '/metrics' }, { server })
  for (const url of ['/healthz', '/v1/../metrics']) await call({ method: 'GET', url })
}

/** Unexpected errors are logged in full. */
async function brokenDatabase(
  { call, secret }: SecretCaller,
  { db, email, password }: World,
  token: string,
  tenant_id: string,
): Promise<void> {
  const unknown = secret('API key while the database is broken', makeSecret().api_key)
  await sql`alter table api_keys rename to api_keys_gone`.execute(db)
  await call(verifyKey, { body: { api_key: unknown } })
  await call(createApiKey, { token, body: { tenant_id } })
  await sql`alter table api_keys_gone rename to api_keys`.execute(db)
  await sql`alter table sessions rename to sessions_gone`.execute(db)
  await call(login, { body: { email, password } })
  await sql`alter table sessions_gone rename to sessions`.execute(db)
}

async function ownAccount({ call, receive, secret }: SecretCaller, world: World, token: string): Promise<void> {
  const { email, password: current_password, dataDir } = world
  const new_password = secret('new password')
  await call(updateProfile, { token, body: { current_password: secret('wrong current password'), new_password } })
  await call(updateProfile, { token, body: { current_password, new_password } })
  await call(listSessions, { token })
  const second = await receive('token after the change', 'access_token', login, {
    body: { email, password: new_password },
  })
  await call(logout, { token: second.given })
  await call(me, { token: second.given })
  // The operator at the terminal may read the output.
  const printed = execFileSync(process.execPath, [path.join(root, 'scripts/admin.ts'), 'reset-password', email], {
    env: { ...process.env, DATA_DIR: dataDir },
    encoding: 'utf8',
  })
  const reset = secret('password from the command line', /^Password {4}(\S+)/m.exec(printed)?.[1])
  await receive('token after the reset', 'access_token', login, { body: { email, password: reset } })
}
