import { makeUser } from '@switchboard/testing/factories'
import { makeToken } from '@switchboard/testing/token-factory'
import { startSession } from '#apps/admin-api/src/auth/sessions/sessions.service.ts'
import { type AuditedCalls, del, patch, post, put, type World } from './audited-call.ts'
import { insertLink } from './insert-link.ts'
import { addFactor } from './second-factor-calls.ts'

export const TEAM_CALLS: AuditedCalls = {
  'audit.export': () => post('/audit/export'),
  'team.update': async ({ db }) =>
    patch(`/team/${(await makeUser(db, { role: 'support' })).id}`, { role: 'auditor', is_active: false }),
  'team.remove': async ({ db }) => del(`/team/${(await makeUser(db, { role: 'auditor' })).id}`),
  'team.end_session': async (world) => {
    const { id, session_id } = await signedInMember(world)
    return del(`/team/${id}/sessions/${session_id}`)
  },
  'team.end_sessions': async (world) => del(`/team/${(await signedInMember(world)).id}/sessions`),
  'second_factors.reset': async (world) => {
    const { id } = await makeUser(world.db, { role: 'support' })
    await addFactor(world, id)
    return del(`/team/${id}/second-factor`)
  },
  'security.update': async (world) => {
    // Nobody may lock themselves out.
    await addFactor(world, world.actor.admin.id)
    return put('/security', { second_factor_required: true })
  },
  'tokens.create': () => post('/tokens', { name: 'Billing', scopes: ['read'] }),
  'tokens.revoke': async ({ db, actor }) =>
    del(`/tokens/${(await makeToken(db, { created_by_id: actor.admin.id })).id}`),
  'mail.test': () => post('/mail/test'),
  'invitations.create': () => post('/invitations', { email: 'invited@example.com', role: 'auditor' }),
  'invitations.resend': async (world) => post(`/invitations/${await invite(world, 'resent')}/resend`),
  'invitations.withdraw': async (world) => del(`/invitations/${await invite(world, 'withdrawn')}`),
  'invitations.accept': async (world) => {
    await invite(world, 'accepted')
    return post('/auth/invitations/accept', { token: 'accepted', password: 'seven sisters walk at dusk' })
  },
}

async function signedInMember({ api, db }: World): Promise<{ id: string; session_id: string }> {
  const { id } = await makeUser(db, { role: 'support' })
  const { session_id } = await startSession(api.deps, db, { user_id: id, address: null, user_agent: null })
  return { id, session_id }
}

async function invite(world: World, token: string): Promise<string> {
  return await insertLink(world, { kind: 'invitation', email: `${token}@example.com`, role: 'support', token })
}
