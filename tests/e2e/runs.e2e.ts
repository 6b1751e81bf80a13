import type { Page } from '@playwright/test'
import { callApi, expect, expectAccessible, test } from './fixtures.ts'
import { filterChip, rowOf, rowsOf, setFilter } from './tables.ts'
import { makeTask, runNow } from './task-records.ts'
import { chooseAction, idOf } from './tenant-keys.ts'

/** A task whose run has failed. Returns the task's id. */
async function makeFailedTask(page: Page, tenant: string): Promise<string> {
  const task_id = await makeTask(page, tenant, { placeId: 'no-place-of-google' })
  await runNow(page, task_id)
  return task_id
}

test('failed runs are found in the list of all runs, retried together, and skipped when they ran since', async ({
  signedIn: page,
}) => {
  await makeFailedTask(page, 'Rerun Alpha')
  await makeFailedTask(page, 'Rerun Beta')
  await page.goto('/tasks?q=rerun')
  await expect(rowsOf(page, 'Tasks')).toHaveCount(2)
  await page.getByRole('link', { name: 'All runs' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Runs')
  await page.getByLabel('Search tenant or place').fill('rerun')
  await expect(page).toHaveURL('/tasks/runs?q=rerun')
  await setFilter(page, 'Status', 'Failed')
  await setFilter(page, 'Reason', 'Place ID malformed')
  const runs = rowsOf(page, 'Runs')
  await expect(runs).toHaveCount(2)
  await expect(rowOf(page, 'Runs', 'Rerun Alpha')).toContainText('This place ID is malformed. Generate it again.')
  await expectAccessible(page)

  await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
  const selection = page.getByRole('region', { name: 'Selection' })
  await selection.getByRole('button', { name: 'Retry' }).click()
  const dialog = page.getByRole('dialog', { name: 'Retry 2 Runs' })
  await expect(dialog).toContainText('The task of each failed run runs once now')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Retry' }).dblclick()
  await expect(page.getByText('2 runs were retried.')).toBeVisible()
  await setFilter(page, 'Reason', 'Any')
  await setFilter(page, 'Status', 'Any')
  await expect(runs.filter({ hasText: 'Failed' })).toHaveCount(4)

  // The first run of a task has been retried, the second one has not.
  await chooseAction(rowOf(page, 'Runs', 'Rerun Beta').last(), 'Retry')
  const notifications = page.getByRole('region', { name: 'Notifications' })
  await expect(notifications).toContainText('for Rerun Beta was not started. The task has run again since.')
  await page.getByLabel('Search tenant or place').fill('rerun beta')
  await expect(runs).toHaveCount(2)
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
  await selection.getByRole('button', { name: 'Retry' }).click()
  const both = page.getByRole('dialog', { name: 'Retry 2 Runs' })
  await both.getByRole('button', { name: 'Retry' }).click()
  await expect(both).toContainText('1 run was retried.')
  await expect(both.getByRole('list', { name: 'Skipped' })).toContainText('The task has run again since.')
  await expectAccessible(page)
})

test('a run opens on the page of its task, and Back restores the list', async ({ onDashboard: page }) => {
  const task = await makeFailedTask(page, 'Opened Again')
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill('all runs')
  await page.getByRole('option', { name: /^Runs/ }).click()
  await expect(page).toHaveURL('/tasks/runs')
  await page.goto('/tasks/runs?q=opened+again&outcome=failed')
  await page.getByRole('link', { name: /^no-pla…google, run of / }).click()
  await expect(page).toHaveURL(new RegExp(`/tasks/${task}\\?run=[-0-9a-f]{36}$`))
  await expect(page.getByRole('button', { name: 'One run: show all' })).toBeVisible()
  await expect(rowsOf(page, 'Runs')).toHaveCount(1)
  await page.goBack()
  await expect(filterChip(page, 'Status Failed')).toBeVisible()
  await expect(rowOf(page, 'Runs', 'Opened Again')).toBeFocused()
})

test('the page of a task shows only the opened run, until all are shown', async ({ signedIn: page }) => {
  const task = await makeTask(page, 'Dunlin Cafe')
  await page.goto(`/tasks/${task}`)
  for (const [button, count] of [
    ['Run task now', 1],
    ['Run again', 2],
  ] as const) {
    await page.getByRole('button', { name: button }).click()
    await expect(rowsOf(page, 'Runs')).toHaveCount(count)
    await expect(rowsOf(page, 'Runs').first()).toContainText('Succeeded')
  }
  const runs = await callApi(page, 'GET', `tasks/${task}/runs?limit=1&sort=created_at`)
  if (!Array.isArray(runs)) throw new Error('no runs')
  const oldest = idOf(runs[0])
  await page.goto(`/tasks/${task}?run=${oldest}`)
  await expect(rowsOf(page, 'Runs')).toHaveCount(1)
  await expect(rowsOf(page, 'Runs')).toBeInViewport()
  await page.getByRole('button', { name: 'One run: show all' }).click()
  await expect(rowsOf(page, 'Runs')).toHaveCount(2)
  await page.goto(`/tasks/${task}?run=${task}`)
  await expect(page.getByText('Run not found')).toBeVisible()
})
