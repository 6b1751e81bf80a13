import { makeUser } from '@switchboard/testing/factories'
import { accessTokenHash } from '@switchboard/sign-in/access-token'
import { PASSWORD } from '#apps/admin-api/src/testing/test-api.ts'
import { newDevice } from '#tests/laws/good-calls.ts'
import { type AuditedCalls, del, post, put, type World } from './audited-call.ts'
import { insertLink } from './insert-link.ts'

const NEW_PASSWORD = 'seven sisters walk at dusk'

const VIEW = { list: 'tenants', name: 'Active', search: 'status=active', is_shared: true, is_default: true } as const

export const ACCOUNT_CALLS: AuditedCalls = {
  'auth.login': ({ actor }) => post('/auth/login', { email: actor.admin.email, password: PASSWORD }),
  'auth.logout': () => post('/auth/logout'),
  'auth.confirm': () => post('/auth/confirm', { password: PASSWORD }),
  'auth.profile': () => put('/auth/profile', { email: 'renamed@example.com', current_password: PASSWORD }),
  'auth.forgotten_password': () => post('/auth/forgotten-password', { email: 'unknown@example.com' }),
  'auth.reset_password': async (world) => {
    const { id, email } = await makeUser(world.db, { email: 'forgetful@example.com' })
    await insertLink(world, { kind: 'password_reset', email, user_id: id, token: 'reset' })
    return post('/auth/reset-password', { token: 'reset', password: NEW_PASSWORD })
  },
  'email_changes.resend': async (world) => post(`/auth/email-changes/${await changeEmail(world, 'resent')}/resend`),
  'email_changes.cancel': async (world) => del(`/auth/email-changes/${await changeEmail(world, 'canceled')}`),
  'email_changes.confirm': async (world) => {
    await changeEmail(world, 'changed')
    return post('/auth/email-changes/confirm', { token: 'changed' })
  },
  'sign_ins.dismiss': async ({ db, actor }) => {
    const device = db.insertInto('known_devices').values(newDevice(actor.admin.id)).returning('id')
    return del(`/auth/sign-ins/new/${(await device.executeTakeFirstOrThrow()).id}`)
  },
  'list_views.create': () => post('/list-views', VIEW),
  'list_views.update': async (world) => put(`/list-views/${await saveView(world)}`, { name: 'Renamed' }),
  'list_views.delete': async (world) => del(`/list-views/${await saveView(world)}`),
  'sessions.end': async (world) => del(`/auth/sessions/${await signInElsewhere(world)}`),
  'sessions.end_others': async (world) => {
    await signInElsewhere(world)
    return del('/auth/sessions')
  },
}

async function saveView({ db, actor }: World): Promise<string> {
  const { is_default: _default, ...view } = VIEW
  const inserted = db
    .insertInto('list_views')
    .values({ ...view, owner_id: actor.admin.id })
    .returning('id')
  return (await inserted.executeTakeFirstOrThrow()).id
}

/** An open change of the actor's address. Returns the id of the account. */
async function changeEmail(world: World, token: string): Promise<string> {
  const { id } = world.actor.admin
  await insertLink(world, { kind: 'email_change', email: `${token}@example.com`, user_id: id, token })
  return id
}

/** Another session of the actor. Returns its id. */
async function signInElsewhere({ api, db, actor }: World): Promise<string> {
  const { access_token } = (await api.login(actor.admin.email)).json()
  const { id } = await db
    .selectFrom('sessions')
    .select('id')
    .where('token_hash', '=', accessTokenHash(access_token))
    .executeTakeFirstOrThrow()
  return id
}
