import type { Page } from '@playwright/test'
import { callApi, expect, expectAccessible, expectNoSidewaysScroll, test } from './fixtures.ts'
import { samplePlaceId } from './task-records.ts'
import { chooseAction, makeKey, makeTenant, makeUser, secretOf } from './tenant-keys.ts'
import { rowOf } from './tables.ts'

// The status of a tenant: its consequences before and after a change, and Undo.

const notifications = (page: Page) => page.getByRole('region', { name: 'Notifications' })
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Edit Tenant' })
const row = (page: Page, name: string) => rowOf(page, 'Tenants', name)
const field = (page: Page) => dialog(page).getByLabel('Status')

/** A tenant with two keys and a task. */
async function makeCustomer(page: Page, name: string): Promise<string> {
  const tenant_id = await makeTenant(page, name)
  for (const key of ['One', 'Two']) await makeKey(page, tenant_id, { name: key })
  await callApi(page, 'POST', 'tasks/schedule', {
    tenant_id,
    schedule_name: 'pull_google_review',
    frequency: 'weekly',
    extra_data: { place_id: samplePlaceId(name) },
  })
  return tenant_id
}

async function openEdit(page: Page, name: string): Promise<void> {
  await page.goto(`/tenants?q=${encodeURIComponent(name)}`)
  await chooseAction(row(page, name), 'Edit', name)
}

test('a suspension is announced, reported, and undone without the other edits', async ({ onDashboard: page }) => {
  const id = await makeCustomer(page, 'Suspended Works')
  await openEdit(page, 'Suspended Works')
  await expect(dialog(page).getByRole('button', { name: 'Save Changes' })).toBeVisible()
  await dialog(page).getByLabel('Status').selectOption('Inactive')
  await expect(field(page)).toHaveAccessibleDescription('2 keys will be refused and 1 task skipped within a second.')
  await expectAccessible(page)
  await dialog(page).getByLabel('Status').selectOption('Active')
  await expect(field(page)).toHaveAccessibleDescription('')
  await dialog(page).getByLabel('Status').selectOption('Inactive')
  await dialog(page).getByLabel('Goal').fill('Kept by Undo')
  await dialog(page).getByRole('button', { name: 'Suspend Tenant' }).click()
  await expect(notifications(page)).toContainText(
    'Suspended Works was updated and suspended. 2 keys are refused and 1 task is skipped.',
  )
  await expect(row(page, 'Suspended Works')).toContainText('Inactive')
  await notifications(page).getByRole('button', { name: 'Undo' }).click()
  await expect(notifications(page)).toContainText(
    'Suspended Works is active again. 2 keys are accepted and 1 task runs again.',
  )
  await expect(row(page, 'Suspended Works').getByText('Active', { exact: true })).toBeVisible()
  expect(await callApi(page, 'GET', `tenants?id=${id}&limit=1`)).toMatchObject([
    { status: 'active', goal: 'Kept by Undo' },
  ])
  expect(await callApi(page, 'GET', `audit?target_id=${id}&limit=2`)).toMatchObject([
    { action: 'tenants.update', changed: { status: 'active' } },
    { action: 'tenants.update', changed: { status: 'inactive', goal: null } },
  ])
})

test('Undo does not overwrite a newer change of the tenant', async ({ signedIn: page, problems }) => {
  problems.expected.push(/status of 412/)
  const id = await makeCustomer(page, 'Overtaken Works')
  await openEdit(page, 'Overtaken Works')
  await dialog(page).getByLabel('Status').selectOption('Inactive')
  await dialog(page).getByRole('button', { name: 'Suspend Tenant' }).click()
  await expect(notifications(page)).toContainText('Overtaken Works was suspended.')
  await callApi(page, 'PUT', `tenants/${id}`, { goal: 'Newer', suspension_reason: 'Unpaid' })
  await notifications(page).getByRole('button', { name: 'Undo' }).click()
  await expect(notifications(page)).toContainText(/^Not undone: \S+@\S+ has changed Overtaken Works since\./)
  expect(await callApi(page, 'GET', `tenants/${id}`)).toMatchObject({ status: 'inactive', suspension_reason: 'Unpaid' })
})

test('a reactivation says what works again', async ({ signedIn: page }) => {
  const id = await makeCustomer(page, 'Resumed Works')
  await callApi(page, 'PUT', `tenants/${id}`, { status: 'inactive' })
  await openEdit(page, 'Resumed Works')
  await dialog(page).getByLabel('Status').selectOption('Active')
  await expect(field(page)).toHaveAccessibleDescription('2 keys will be accepted and 1 task will run within a second.')
  await dialog(page).getByRole('button', { name: 'Save Changes' }).click()
  await expect(notifications(page)).toContainText(
    'Resumed Works was reactivated. 2 keys are accepted and 1 task runs again.',
  )
})

test('a key used in the last hour asks first', async ({ onDashboard: page, server }) => {
  const tenant_id = await makeTenant(page, 'Busy Works')
  const secret = secretOf(await callApi(page, 'POST', 'api-keys', { tenant_id, name: 'Busy' }))
  await page.request.post(`${server.aiUrl}/v1/keys/verify`, { data: { api_key: secret } })
  // The AI API writes its counts in batches.
  await expect(async () => {
    const body = { status: 'inactive', ids: [tenant_id] }
    expect(await callApi(page, 'POST', 'tenants/status-effects', body)).toMatchObject({ used_api_key_count: 1 })
  }).toPass()
  await openEdit(page, 'Busy Works')
  await dialog(page).getByLabel('Status').selectOption('Inactive')
  await dialog(page).getByRole('button', { name: 'Suspend Tenant' }).click()
  const question = page.getByRole('dialog', { name: 'Suspend Tenant' })
  await expect(question).toContainText('1 key was used in the last hour.')
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(question).toHaveCount(0)
  await expect(dialog(page)).toBeVisible()
  await expect(row(page, 'Busy Works')).not.toContainText('Inactive')
  await dialog(page).getByRole('button', { name: 'Suspend Tenant' }).click()
  await question.getByRole('button', { name: 'Suspend Tenant' }).click()
  await expect(notifications(page)).toContainText('Busy Works was suspended. 1 key is refused.')
})

test('without the counts, the hint is general and a suspension asks', async ({ onDashboard: page, problems }) => {
  problems.expected.push(/status of 409/)
  await makeTenant(page, 'Uncounted Works')
  await page.route('**/status-effects', (route) => route.fulfill({ status: 409, json: { detail: 'No.' } }))
  await openEdit(page, 'Uncounted Works')
  await dialog(page).getByLabel('Status').selectOption('Inactive')
  await expect(field(page)).toHaveAccessibleDescription('Keys will be refused and tasks skipped.')
  await dialog(page).getByRole('button', { name: 'Suspend Tenant' }).click()
  const question = page.getByRole('dialog', { name: 'Suspend Tenant' })
  await expect(question).toContainText('Some may have been used in the last hour.')
  await question.getByRole('button', { name: 'Suspend Tenant' }).click()
  await expect(notifications(page)).toContainText('Uncounted Works was suspended.')
})

test('the users of an inactive tenant say so and reactivate the tenant', async ({ signedIn: page }) => {
  const tenant_id = await makeCustomer(page, 'Marked Works')
  await makeUser(page, tenant_id, 'marked@example.com')
  await callApi(page, 'PUT', `tenants/${tenant_id}`, { status: 'inactive' })
  await page.goto('/users?q=marked@')
  await expect(rowOf(page, 'Users', 'marked@example.com')).toContainText('Tenant inactive')
  await page.goto(`/users?tenant_id=${tenant_id}`)
  for (const width of [1440, 320]) {
    await page.setViewportSize({ width, height: 900 })
    await expect(page.getByText('Tenant inactive: all keys refused')).toBeVisible()
    await expectAccessible(page)
    await expectNoSidewaysScroll(page, 390)
  }
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.getByRole('button', { name: 'Reactivate Marked Works' }).press('Enter')
  await expect(notifications(page)).toContainText(
    'Marked Works was reactivated. 2 keys are accepted and 1 task runs again.',
  )
  // The timer of Undo stops while the pointer is over the notification.
  await notifications(page).getByRole('button', { name: 'Undo' }).hover()
  await expect(page.getByText('Tenant inactive: all keys refused')).toHaveCount(0)
  await expect(rowOf(page, 'Users', 'marked@example.com')).not.toContainText('Tenant inactive')
  await expect(page.getByRole('heading', { name: 'Users', level: 1 })).toBeFocused()
  await page.keyboard.press('z')
  await expect(page.getByText('Tenant inactive: all keys refused')).toBeVisible()
})

test('a failed reactivation names the tenant and can be tried again', async ({ signedIn: page, problems }) => {
  problems.expected.push(/status of 409/)
  const tenant_id = await makeTenant(page, 'Stuck Works')
  await callApi(page, 'PUT', `tenants/${tenant_id}`, { status: 'inactive' })
  await page.goto(`/users?tenant_id=${tenant_id}`)
  await page.route('**/status-effects', (route) => route.fulfill({ status: 409, json: { detail: 'Not now.' } }))
  await page.getByRole('button', { name: 'Reactivate Stuck Works' }).dblclick()
  await expect(notifications(page)).toContainText('Stuck Works could not be reactivated. Not now.')
  await page.unroute('**/status-effects')
  await notifications(page).getByRole('button', { name: 'Try Again' }).click()
  await expect(notifications(page)).toContainText('Stuck Works was reactivated.')
})
