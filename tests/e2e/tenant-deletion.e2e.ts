import type { Page } from '@playwright/test'
import { callApi, expect, expectAccessible, expectNoSidewaysScroll, test, untilLoaded } from './fixtures.ts'
import { person } from './person.ts'
import { rowOf, rowsOf } from './tables.ts'
import { chooseAction, idOf, makeKey, makeTenant, makeUser, secretOf } from './tenant-keys.ts'

const notifications = (page: Page) => page.getByRole('region', { name: 'Notifications' })

test('deleting a tenant lists what goes, asks for the name as it is written, and is undone', async ({
  signedIn: page,
}) => {
  const tenant_id = await makeTenant(page, 'Goes  With All')
  await makeKey(page, tenant_id, { name: 'One' })
  await makeKey(page, tenant_id, { name: 'Two' })
  await makeUser(page, tenant_id, 'goes@example.com')
  await page.goto('/tenants?q=goes')
  await chooseAction(rowOf(page, 'Tenants', 'Goes'), 'Delete')
  const confirm = page.getByRole('dialog', { name: 'Delete Tenant' })
  const remove = confirm.getByRole('button', { name: 'Delete' })
  const name = confirm.getByLabel('Type the name to confirm')
  await expect(name).toBeFocused()
  await expect(confirm).toContainText('For 30 days the tenant can be restored with all its records.')
  await expect(confirm.getByRole('listitem')).toHaveText(['2 API keys', '1 user'])
  await expect(remove).toBeDisabled()
  await expectAccessible(page)
  for (const typed of ['goes with all', 'Goes With', 'Goes With All.']) {
    await name.fill(typed)
    await page.keyboard.press('Enter')
    await expect(remove).toBeDisabled()
  }
  // The dialog does not ask for spaces that the screen does not show.
  await name.fill('  Goes With All ')
  await name.dispatchEvent('keydown', { key: 'Enter', isComposing: true, bubbles: true })
  await expect(remove).toBeEnabled()
  await page.keyboard.press('Enter')
  await expect(page.getByText('was deleted.')).toBeVisible()
  await expect(confirm).toHaveCount(0)
  await expect(rowsOf(page, 'Tenants')).toHaveCount(0)
  await notifications(page).getByRole('button', { name: 'Undo' }).click()
  await expect(notifications(page)).toContainText('was restored.')
  await expect(rowsOf(page, 'Tenants')).toHaveCount(1)
  expect(await callApi(page, 'GET', `tenants/${tenant_id}`)).toMatchObject({ admin_count: 1, api_key_count: 2 })
})

test('a deleted tenant is restored whole in two clicks', async ({ signedIn: page, server, problems }) => {
  problems.expected.push(/status of 404/)
  const { click, clicks } = person(page)
  const id = await makeTenant(page, 'Lockgate Ferries')
  const secret = secretOf(await callApi(page, 'POST', 'api-keys', { tenant_id: id, name: 'Quay' }))
  const verified = async () =>
    (await page.request.post(`${server.aiUrl}/v1/keys/verify`, { data: { api_key: secret } })).status()
  const before = await callApi(page, 'GET', `tenants/${id}`)
  await callApi(page, 'DELETE', `tenants/${id}`)
  await expect.poll(verified).toBe(401)

  await page.goto('/')
  await untilLoaded(page)
  await click(page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Activity' }))
  await click(page.getByRole('button', { name: 'Restore Lockgate Ferries' }))
  await expect(notifications(page)).toContainText('Lockgate Ferries was restored.')
  expect(clicks()).toBe(2)
  await expect(page.getByRole('button', { name: 'Restore Lockgate Ferries' })).toHaveCount(0)
  // A restore moves only the time of the last change.
  expect(await callApi(page, 'GET', `tenants/${id}`)).toEqual({ ...Object(before), updated_at: expect.any(String) })
  await expect.poll(verified).toBe(200)

  await callApi(page, 'DELETE', `tenants/${id}`)
  await page.goto(`/tenants/${id}`)
  await expect(page.getByText('Lockgate Ferries was deleted')).toBeVisible()
  await expectAccessible(page)
  await expectNoSidewaysScroll(page, 320)
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.getByRole('button', { name: 'Restore' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Lockgate Ferries')
})

test('deleted tenants are restored together, or deleted permanently one by one', async ({ signedIn: page }) => {
  for (const name of ['Sandbar One', 'Sandbar Two', 'Sandbar Three']) {
    const id = await makeTenant(page, name)
    await callApi(page, 'DELETE', `tenants/${id}`)
  }
  await page.goto('/tenants?deleted=true&q=sandbar')
  await expect(rowsOf(page, 'Tenants')).toHaveCount(3)
  await expect(rowOf(page, 'Tenants', 'Sandbar Two')).toContainText('Deleted')
  await expect(page.getByText('3 deleted', { exact: true })).toBeVisible()
  await chooseAction(page, 'Delete Permanently', 'Sandbar Three')
  const confirm = page.getByRole('dialog', { name: 'Delete Permanently' })
  await expect(confirm.getByRole('button', { name: 'Delete Permanently' })).toBeDisabled()
  await expectAccessible(page)
  await confirm.getByRole('textbox').fill('Sandbar Three')
  await page.keyboard.press('Enter')
  await expect(notifications(page)).toContainText('Sandbar Three was permanently deleted.')
  await expect(rowsOf(page, 'Tenants')).toHaveCount(2)
  await page.getByRole('checkbox', { name: 'Select all on this page' }).click()
  const bar = page.getByRole('region', { name: 'Selection' })
  await expect(bar.getByRole('button', { name: /^(Reactivate|Suspend|Delete)/ })).toHaveCount(0)
  await bar.getByRole('button', { name: 'Restore' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click()
  await expect(notifications(page)).toContainText('2 tenants were restored.')
  await page.goto('/tenants?q=sandbar')
  await expect(rowsOf(page, 'Tenants')).toHaveCount(2)
  await page.getByRole('checkbox', { name: 'Select all on this page' }).click()
  await bar.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect(rowsOf(page, 'Tenants')).toHaveCount(0)
  await notifications(page).getByRole('button', { name: 'Undo' }).click()
  await expect(rowsOf(page, 'Tenants')).toHaveCount(2)
  const again = await callApi(page, 'POST', 'tenants', {
    name: 'New',
    subdomain: 'sandbar-three',
    tenant_type: 'product',
  })
  expect(idOf(again)).not.toBe('')
})
