import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { task as taskSchema } from '@switchboard/contract/tasks'
import { parse } from 'csv-parse/sync'
import { callApi, expect, expectAccessible, expectNoSidewaysScroll, test } from './fixtures.ts'
import { makeTask, runNow } from './task-records.ts'
import { makeKey, makeTenant, makeUser } from './tenant-keys.ts'
import { chooseListAction } from './tables.ts'

const dialog = (page: Page) => page.getByRole('dialog')

/** Exports the list of the page. Returns the name of the file and its records. */
async function exportList(page: Page) {
  await chooseListAction(page, 'Export')
  const downloading = page.waitForEvent('download')
  await dialog(page).getByRole('button', { name: 'Export', exact: true }).click()
  const file = await downloading
  const records = parse<Record<string, string>>(await readFile(await file.path()), { columns: true, bom: true })
  return { name: file.suggestedFilename(), records }
}

const TODAY = new RegExp(`-${new Date().getUTCFullYear()}-\\d\\d-\\d\\d\\.csv$`)

test('every list is exported with its filters and its order', async ({ signedIn: page }) => {
  const tenant = await makeTenant(page, 'Exported B')
  await makeTenant(page, 'Exported A')
  await makeKey(page, tenant, { name: '=1+1' })
  await makeTask(page, 'Exported C')

  await page.goto('/tenants?q=exported&sort=-name')
  const tenants = await exportList(page)
  expect(tenants.name).toMatch(/^tenants/)
  expect(tenants.name).toMatch(TODAY)
  expect(tenants.records.map((record) => record['name'])).toEqual(['Exported C', 'Exported B', 'Exported A'])
  await expect(page.getByText(`${tenants.name} was downloaded with 3 rows.`)).toBeVisible()
  await expect(dialog(page)).toHaveCount(0)

  await makeUser(page, tenant, 'exported@example.com')
  await page.goto('/users?q=exported')
  const users = await exportList(page)
  expect([users.name, users.records.map((record) => record['email'])]).toEqual([
    expect.stringMatching(/^users-/),
    ['exported@example.com'],
  ])

  await page.goto('/keys?view=all&q=exported')
  const keys = await exportList(page)
  expect([keys.name, keys.records.map((record) => record['name'])]).toEqual([
    expect.stringMatching(/^api-keys-/),
    ["'=1+1"],
  ])

  await page.goto('/tasks?q=exported&frequency=weekly')
  const tasks = await exportList(page)
  expect([tasks.name, tasks.records.map((record) => record['tenant_name'])]).toEqual([
    expect.stringMatching(/^tasks-/),
    ['Exported C'],
  ])
})

test('an incomplete file is not saved; the error is shown and can be retried', async ({ signedIn: page }) => {
  await makeTenant(page, 'Broken off')
  await page.goto('/tenants?q=broken+off')
  const downloads: string[] = []
  page.on('download', (file) => downloads.push(file.suggestedFilename()))
  await page.route('**/tenants/export?*', (route) =>
    route.fulfill({
      headers: { 'content-type': 'text/csv', 'x-export-rows': '1200' },
      body: 'id,name\r\n1,One\r\n2,T',
    }),
  )
  await chooseListAction(page, 'Export')
  await expect(dialog(page)).toContainText('1 matching tenant, in the order shown, as a CSV file.')
  await expect(dialog(page).locator(':focus')).toHaveCount(1)
  await dialog(page).getByRole('button', { name: 'Export', exact: true }).press('Enter')
  await expect(dialog(page).getByRole('alert')).toHaveText(
    'The export stopped after 1 of 1,200 rows. Nothing was saved.',
  )
  await expect(dialog(page).getByRole('button', { name: 'Try Again' })).toBeFocused()
  await expectAccessible(page)
  expect(downloads).toEqual([])
  await page.unroute('**/tenants/export?*')
  await dialog(page).getByRole('button', { name: 'Try Again' }).click()
  await expect.poll(() => downloads).toHaveLength(1)
})

test('a long export shows its progress and can be canceled', async ({ signedIn: page }) => {
  await page.goto('/tenants')
  await page.route('**/tenants/export*', () => new Promise(() => undefined))
  await chooseListAction(page, 'Export')
  await dialog(page).getByRole('button', { name: 'Export', exact: true }).click()
  await expect(dialog(page).getByRole('progressbar', { name: 'Export Tenants' })).toBeVisible()
  await expectAccessible(page)
  await dialog(page).getByRole('button', { name: 'Cancel' }).click()
  await expect(dialog(page)).toHaveCount(0)
})

test('on a phone a list is exported, and nothing scrolls sideways', async ({ signedIn: page }) => {
  await page.setViewportSize({ width: 390, height: 800 })
  const task = await makeTask(page, 'Carried on a Phone')
  await runNow(page, task)
  const { tenant_id } = taskSchema.parse(await callApi(page, 'GET', `tasks/${task}`))
  await makeKey(page, tenant_id)
  for (const path of ['/tenants', '/users', '/keys', '/tasks', '/tasks/runs', '/settings/activity']) {
    await page.goto(path)
    await chooseListAction(page, 'Export')
    await expect(dialog(page)).toContainText('as a CSV file')
    await expectAccessible(page)
    await expectNoSidewaysScroll(page, 360)
    await page.keyboard.press('Escape')
    await expect(dialog(page)).toHaveCount(0)
  }
})
