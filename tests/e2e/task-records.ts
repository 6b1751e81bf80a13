import type { Page } from '@playwright/test'
import { callApi } from './fixtures.ts'
import { rowOf } from './tables.ts'
import { idOf, makeTenant } from './tenant-keys.ts'

/** The row of the task of a tenant. */
export const row = (page: Page, tenant: string) => rowOf(page, 'Tasks', tenant)

/** A place id of the maps emulator. */
export async function samplePlaceId(page: Page, name: string): Promise<string> {
  const query = { tenant_name: name, city: 'Austin', country: 'United States' }
  const found = await callApi(page, 'POST', 'google/places/id/generate', query)
  const id = /"place_id":"([\w-]+)"/.exec(JSON.stringify(found))?.[1]
  if (id === undefined) throw new Error('no place')
  return id
}

/** A task of a tenant of its own; returns the task's id. `placeId` may be wrong on purpose. */
export async function makeTask(page: Page, tenant: string, fields: { frequency?: string; placeId?: string } = {}) {
  const placeId = fields.placeId ?? (await samplePlaceId(page, tenant))
  const task = await callApi(page, 'POST', 'tasks/schedule', {
    tenant_id: await makeTenant(page, tenant),
    schedule_name: 'pull_google_review',
    frequency: fields.frequency ?? 'weekly',
    extra_data: { place_id: placeId },
  })
  return idOf(task)
}
