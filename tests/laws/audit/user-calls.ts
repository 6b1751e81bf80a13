import { makeTenant, makeUser } from '@switchboard/testing/factories'
import { type AuditedCalls, del, patch, post, put, type World } from './audited-call.ts'

const PASSWORD = 'seven sisters walk at dusk'

export const USER_CALLS: AuditedCalls = {
  'users.export': () => post('/tenant-admins/export'),
  'users.create': async ({ db }) => {
    const tenant_id = (await makeTenant(db)).id
    return post('/tenant-admins', { email: 'new@example.com', password: PASSWORD, role: 'user', tenant_id })
  },
  'users.import': async ({ db }) => {
    const rows = [{ email: 'imported@example.com', role: 'user', tenant_id: (await makeTenant(db)).id }]
    return post('/tenant-admins/import', { dry_run: false, rows })
  },
  'users.toggle': async (world) => patch(`${await pathOfUser(world)}/toggle`, { is_active: false }),
  'users.update': async (world) => patch(await pathOfUser(world), { role: 'manager' }),
  'users.invite': async (world) => post(`${await pathOfUser(world)}/invitation`),
  'users.set_password': async (world) => put(`${await pathOfUser(world)}/password`, { password: PASSWORD }),
  'users.bulk': async (world) => {
    const { id } = await makeUserOfTenant(world)
    return { ...post('/tenant-admins/bulk', { action: 'deactivate', ids: [id] }), audited_as: 'users.toggle' }
  },
  'users.delete': async (world) => del(await pathOfUser(world)),
  'users.restore': async (world) => {
    const path = await pathOfUser(world)
    await world.actor.call({ method: 'DELETE', url: `/api/v1/admin${path}` })
    return post(`${path}/restore`)
  },
}

async function pathOfUser(world: World): Promise<string> {
  return `/tenant-admins/${(await makeUserOfTenant(world)).id}`
}

async function makeUserOfTenant({ db }: World) {
  return await makeUser(db, { role: 'user', tenant_id: (await makeTenant(db)).id })
}
