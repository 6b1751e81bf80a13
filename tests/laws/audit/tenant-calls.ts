import { deleteRecord, makeTenant } from '@switchboard/testing/factories'
import { type AuditedCalls, del, post, put, type World } from './audited-call.ts'

const TEMPLATE = '/prompts/templates/general'

export const TENANT_CALLS: AuditedCalls = {
  'tenants.export': () => post('/tenants/export'),
  'tenants.create': () => post('/tenants', { name: 'New', subdomain: 'new-tenant', tenant_type: 'product' }),
  'tenants.import': () => {
    const rows = [{ name: 'Imported', subdomain: 'imported', tenant_type: 'service' }]
    return post('/tenants/import', { dry_run: false, rows })
  },
  'tenants.update': async ({ db }) => put(`/tenants/${(await makeTenant(db)).id}`, { goal: 'sell' }),
  'tenants.bulk': async ({ db }) => {
    const { id } = await makeTenant(db)
    return { ...post('/tenants/bulk', { action: 'suspend', ids: [id] }), audited_as: 'tenants.update' }
  },
  'tenants.delete': async ({ db }) => del(`/tenants/${(await makeTenant(db)).id}`),
  'tenants.restore': async ({ db, actor }) => {
    const { id } = await makeTenant(db)
    await actor.call({ method: 'DELETE', url: `/api/v1/admin/tenants/${id}` })
    return post(`/tenants/${id}/restore`)
  },
  'tenants.purge': async ({ db }) => {
    const { id } = await makeTenant(db)
    await deleteRecord(db, 'tenants', id)
    return post(`/tenants/${id}/purge`)
  },
  'notes.create': async ({ db }) => post(`/tenants/${(await makeTenant(db)).id}/notes`, { text: 'Renews in March.' }),
  'notes.update': async (world) => put(await pathOfNote(world), { text: 'Renews in May.' }),
  'notes.delete': async (world) => del(await pathOfNote(world)),
  'prompts.save': () => put(TEMPLATE, { template: 'Help with {{ goal }}.' }),
  'prompts.restore': async ({ actor }) => {
    // The first version is the current one until another is saved.
    const body = { template: 'Help to {{ goal }}.' }
    await actor.call({ method: 'PUT', url: `/api/v1/admin${TEMPLATE}`, body })
    return post(`${TEMPLATE}/versions/1/restore`)
  },
}

async function pathOfNote({ db, actor }: World): Promise<string> {
  const tenant = await makeTenant(db)
  const { id } = await db
    .insertInto('tenant_notes')
    .values({ tenant_id: tenant.id, text: 'Old.', author_id: actor.admin.id, author_email: actor.admin.email })
    .returning('id')
    .executeTakeFirstOrThrow()
  return `/tenants/${tenant.id}/notes/${id}`
}
