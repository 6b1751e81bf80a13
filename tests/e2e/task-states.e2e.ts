import { callApi, expect, expectAccessible, test } from './fixtures.ts'
import { makeTask, row } from './task-records.ts'
import { chooseAction, makeTenant } from './tenant-keys.ts'
import { setFilter } from './tables.ts'

test('a task of an inactive tenant has no next run, is not run, and its tenant is reactivated from its page', async ({
  signedIn: page,
}) => {
  const id = await makeTask(page, 'Dormant Works')
  const task = await callApi(page, 'GET', `tasks/${id}`)
  const tenantId = String(Reflect.get(Object(task), 'tenant_id'))
  await page.goto('/tasks?q=Dormant')
  await expect(row(page, 'Dormant Works')).toContainText(/On schedule.*Weekly/)
  // The open list hears of the suspension.
  await callApi(page, 'PUT', `tenants/${tenantId}`, { status: 'inactive' })
  await expect(row(page, 'Dormant Works')).toContainText(/Tenant inactive.*N\/A.*N\/A/)
  await row(page, 'Dormant Works')
    .getByRole('button', { name: /^More actions/ })
    .click()
  const run = page.getByRole('menuitem', { name: 'Run task now' })
  await expect(run).toHaveAttribute('aria-disabled', 'true')
  await expect(run).toHaveAccessibleDescription('The tenant is inactive, so its tasks are skipped.')
  await page.keyboard.press('Escape')
  await setFilter(page, 'Status', 'Tenant inactive')
  await expect(page).toHaveURL(/state=tenant_inactive/)
  await row(page, 'Dormant Works').getByRole('link', { name: /^ChIJ/ }).click()
  const state = page.getByRole('region', { name: 'State' })
  await expect(state).toContainText('Dormant Works is inactive. Its tasks are skipped.')
  await expect(page.getByText(/next run/)).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Run task now' })).toHaveAttribute('aria-disabled', 'true')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Reactivate Dormant Works' }).click()
  await expect(page.getByText(/Weekly, next run \w+ \d+/)).toBeVisible()
  await expect(state).toHaveCount(0)
})

test('two tasks of one tenant are told apart by their places', async ({ onDashboard: page }) => {
  const tenant_id = await makeTenant(page, 'Twofold Bakery')
  const places = [
    { place_id: 'ChIJtwofold1', place_name: 'Corner Bakery', place_address: '12 High St, Springfield' },
    { place_id: 'ChIJtwofold2', place_name: 'Corner Bakery', place_address: '3 Mill Lane, Springfield' },
  ]
  for (const extra_data of places)
    await callApi(page, 'POST', 'tasks/schedule', {
      tenant_id,
      schedule_name: 'pull_google_review',
      frequency: 'weekly',
      extra_data,
    })
  await page.goto('/tasks?q=twofold')
  await chooseAction(page, 'Delete', 'Corner Bakery, 3 Mill Lane for Twofold Bakery')
  await expect(page.getByRole('dialog')).toContainText('Corner Bakery, 3 Mill Lane')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('Corner Bakery, 3 Mill Lane for Twofold Bakery was deleted.')).toBeVisible()
  await page.getByRole('link', { name: 'Corner Bakery, 12 High St' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Corner Bakery, 12 High St')
})

test('a run that waits for its next attempt shows the time, without a spinner, and is not started twice', async ({
  signedIn: page,
}) => {
  const id = await makeTask(page, 'Waiting Works', { placeId: 'fault_quota_day' })
  await page.goto('/tasks?q=Waiting')
  await chooseAction(row(page, 'Waiting Works'), 'Run task now')
  await expect(row(page, 'Waiting Works')).toContainText('Retrying')
  await row(page, 'Waiting Works')
    .getByRole('button', { name: /^More actions/ })
    .click()
  await expect(page.getByRole('menuitem', { name: 'Run task now' })).toHaveCount(0)
  await page.keyboard.press('Escape')
  await page.goto(`/tasks/${id}`)
  await expect(page.getByText(/Weekly, tries again (in|tomorrow)/)).toBeVisible()
  await expect(page.getByRole('region', { name: 'State' })).toContainText(
    /^The last attempt failed: Today's Google quota is used up.* It tries again (in|tomorrow)/,
  )
  await expect(page.getByRole('button', { name: 'Run task now' })).toBeDisabled()
  await expect(page.getByRole('table', { name: 'Runs' })).toContainText(/Today's Google quota is used up/)
})

test('reviews deleted after 30 days are not shown as an empty pull', async ({ signedIn: page }) => {
  const id = await makeTask(page, 'Forgetful Works')
  // The clock of the server may be a second behind.
  const pulled_at = new Date(Date.now() - 30 * 86_400_000 - 60_000).toISOString()
  await page.route(`**/tasks/${id}/reviews`, (route) =>
    route.fulfill({ json: { pulled_at, is_kept: true, place: null, reviews: [] } }),
  )
  await page.goto(`/tasks/${id}`)
  await expect(page.getByText('The reviews have been removed')).toBeVisible()
})
