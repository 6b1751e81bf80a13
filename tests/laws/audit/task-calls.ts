import { makeTask, makeTenant } from '@switchboard/testing/factories'
import { type AuditedCalls, del, post, put, type World } from './audited-call.ts'

export const TASK_CALLS: AuditedCalls = {
  'tasks.export': () => post('/tasks/export'),
  'runs.export': () => post('/tasks/runs/export'),
  'tasks.create': async ({ db }) =>
    post('/tasks/schedule', {
      tenant_id: (await makeTenant(db)).id,
      schedule_name: 'pull_google_review',
      frequency: 'daily',
      extra_data: { place_id: 'ChIJN1t_tDeuEmsRUsoyG83frY4' },
    }),
  'tasks.update': async (world) => put(`/tasks/${(await makeTaskOfTenant(world)).id}`, { is_paused: true }),
  'tasks.bulk': async (world) => {
    const { id } = await makeTaskOfTenant(world)
    return { ...post('/tasks/bulk', { action: 'pause', ids: [id] }), audited_as: 'tasks.update' }
  },
  'tasks.delete': async (world) => {
    const { id, tenant_id } = await makeTaskOfTenant(world)
    return del(`/tasks/${tenant_id}/schedule/${id}`)
  },
  'tasks.restore': async (world) => {
    const { id, tenant_id } = await makeTaskOfTenant(world)
    await world.actor.call({ method: 'DELETE', url: `/api/v1/admin/tasks/${tenant_id}/schedule/${id}` })
    return post(`/tasks/${id}/restore`)
  },
}

async function makeTaskOfTenant({ db }: World) {
  return await makeTask(db, { tenant_id: (await makeTenant(db)).id })
}
