import { searchSamples } from '@switchboard/maps-emulator/sample-places'
import * as z from 'zod/mini'

const record = z.object({ id: z.string() })

/** Calls admin-api as a super admin; the path begins after `/api/v1/admin/`. Returns the body of the answer. */
export type CallApi = (method: string, path: string, body?: unknown) => Promise<unknown>

/**
 * Makes the records of `SCREENS`: a tenant with a key and an addendum but no other records, and a task of another tenant
 * that has run, and a webhook. Returns the ids, and a function that writes them into the address of a screen.
 */
export async function makeScreenRecords(call: CallApi, name: string) {
  const idFrom = async (...request: Parameters<CallApi>) => record.parse(await call(...request)).id
  const makeTenant = async (of: string) => {
    const subdomain = `screens-${crypto.randomUUID().slice(0, 8)}`
    return await idFrom('POST', 'tenants', { name: of, subdomain, tenant_type: 'product' })
  }
  const [place_id] = searchSamples(`${name}, Austin, United States`, 'US')
  const schedule = { schedule_name: 'pull_google_review', frequency: 'weekly', extra_data: { place_id } }
  const task = await idFrom('POST', 'tasks/schedule', { tenant_id: await makeTenant(`${name} task`), ...schedule })
  const run = { super_admin_id: await idFrom('GET', 'auth/me'), timestamp: new Date().toISOString() }
  await call('POST', `tasks/${task}/run`, { task_id: task, ...run })
  const tenant = await makeTenant(name)
  await call('POST', 'api-keys', { tenant_id: tenant, name: 'Shop' })
  await call('PUT', `prompts/templates/general?tenant_id=${tenant}`, { template: 'We close at six.' })
  // No such event happens, so nothing is sent.
  const webhook = await idFrom('POST', 'webhooks', {
    url: 'https://receiver.example.com/events',
    event_types: ['audit_log.broken'],
  })
  const withIds = (address: string) =>
    address
      .replace('TASK', task)
      .replace('TENANT', tenant)
      .replace('WEBHOOK', webhook)
      .replace('NAME', encodeURIComponent(name))
  return { task, tenant, withIds }
}
