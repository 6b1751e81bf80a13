import { makeApiKey, makeTenant } from '@switchboard/testing/factories'
import { type AuditedCalls, del, patch, post, type World } from './audited-call.ts'

export const API_KEY_CALLS: AuditedCalls = {
  'api_keys.export': () => post('/api-keys/export'),
  'api_keys.create': async ({ db }) => post('/api-keys', { tenant_id: (await makeTenant(db)).id }),
  'api_keys.update': async (world) => patch(await pathOfKey(world), { name: 'Renamed' }),
  'api_keys.rotate': async (world) => post(`${await pathOfKey(world)}/rotate`, { grace_seconds: 900 }),
  'api_keys.toggle': async (world) => patch(`${await pathOfKey(world)}/toggle`, { is_active: false }),
  'api_keys.extend_grace': async (world) =>
    post(`${await pathOfKeyInGrace(world)}/extend-grace`, { grace_seconds: 86_400 }),
  'api_keys.end_grace': async (world) => post(`${await pathOfKeyInGrace(world)}/end-grace`),
  'api_keys.bulk': async ({ db }) => {
    const { id } = await makeApiKey(db, { tenant_id: (await makeTenant(db)).id })
    return { ...post('/api-keys/bulk', { action: 'deactivate', ids: [id] }), audited_as: 'api_keys.toggle' }
  },
  'api_keys.delete': async (world) => del(await pathOfKey(world)),
  'api_keys.restore': async (world) => {
    const path = await pathOfKey(world)
    await world.actor.call({ method: 'DELETE', url: `/api/v1/admin${path}` })
    return post(`${path}/restore`)
  },
}

async function pathOfKey({ db }: World): Promise<string> {
  return `/api-keys/${(await makeApiKey(db, { tenant_id: (await makeTenant(db)).id })).id}`
}

async function pathOfKeyInGrace({ api, db }: World): Promise<string> {
  const graceEnd = new Date(api.clock.at.getTime() + 3_600_000)
  const key = await makeApiKey(db, {
    tenant_id: (await makeTenant(db)).id,
    rotated_at: api.clock.at,
    grace_ends_at: graceEnd,
    expires_at: graceEnd,
    original_expires_at: null,
  })
  return `/api-keys/${key.id}`
}
