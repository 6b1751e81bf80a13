import type { Page } from '@playwright/test'
import { task as taskSchema } from '@switchboard/contract/tasks'
import { connect } from '@switchboard/database/connection/connect'
import { urlOfRunning } from '@switchboard/embedded-postgres/embedded-postgres'
import { searchSamples } from '@switchboard/maps-emulator/sample-places'
import { sql } from 'kysely'
import { callApi, expect } from './fixtures.ts'
import type { Server } from './server.ts'
import { rowOf } from './tables.ts'
import { idOf, makeTenant } from './tenant-keys.ts'

/** The row of the task of a tenant. */
export const row = (page: Page, tenant: string) => rowOf(page, 'Tasks', tenant)

/** The id of a place of the maps emulator. No look-up finds it: a person may look up 30 places an hour. */
export function samplePlaceId(name: string): string {
  const [id] = searchSamples(`${name}, Austin, United States`, 'US')
  if (id === undefined) throw new Error(`no place is named ${name}`)
  return id
}

/** A task of a new tenant; returns the task's id. `placeId` may be wrong on purpose. */
export async function makeTask(page: Page, tenant: string, fields: { frequency?: string; placeId?: string } = {}) {
  const placeId = fields.placeId ?? samplePlaceId(tenant)
  const task = await callApi(page, 'POST', 'tasks/schedule', {
    tenant_id: await makeTenant(page, tenant),
    schedule_name: 'pull_google_review',
    frequency: fields.frequency ?? 'weekly',
    extra_data: { place_id: placeId },
  })
  return idOf(task)
}

/** Runs a task now, and waits for the end of the run, which may outlast the call. */
export async function runNow(page: Page, task_id: string): Promise<void> {
  const super_admin_id = idOf(await callApi(page, 'GET', 'auth/me'))
  await callApi(page, 'POST', `tasks/${task_id}/run`, { task_id, super_admin_id, timestamp: new Date().toISOString() })
  const isRunning = async () => {
    const { running_run_id, retry_at } = taskSchema.parse(await callApi(page, 'GET', `tasks/${task_id}`))
    return running_run_id !== null && retry_at === null
  }
  await expect.poll(isRunning, { timeout: 60_000 }).toBe(false)
}

/** Makes a task due, so that a worker runs it within a minute. */
export async function makeDue({ dataDir }: Server, task_id: string): Promise<void> {
  const db = connect(urlOfRunning(dataDir) ?? '')
  try {
    await sql`update tasks set next_run = now() where id = ${task_id}`.execute(db)
  } finally {
    await db.destroy()
  }
}
