import type { Page } from '@playwright/test'
import { type User, user } from '@switchboard/contract/users'
import * as z from 'zod/mini'
import { callApi, expect, expectAccessible, test } from './fixtures.ts'
import { chooseAction, makeTenant, makeUser } from './tenant-keys.ts'

async function makeTenantWithUser(page: Page, name: string, email: string): Promise<string> {
  const tenant_id = await makeTenant(page, name)
  await makeUser(page, tenant_id, email)
  return tenant_id
}

async function usersOf(page: Page, tenantId: string): Promise<User[]> {
  return z.array(user).parse(await callApi(page, 'GET', `tenant-admins?limit=25&tenant_id=${tenantId}`))
}

test('a user is edited over the change of another admin, and the edit is undone', async ({
  signedIn: page,
  problems,
}) => {
  problems.expected.push(/status of 412/)
  await makeTenant(page, 'Shale Works')
  const tenantId = await makeTenantWithUser(page, 'Pebble Works', 'pebble.edited@example.com')
  await page.goto(`/users?tenant_id=${tenantId}`)
  await chooseAction(page, 'Edit', 'pebble.edited@example.com')
  const dialog = page.getByRole('dialog', { name: 'Edit User' })
  await expect(dialog.getByRole('textbox', { name: 'Email Address' })).toBeFocused()
  await expectAccessible(page)
  const [edited] = await usersOf(page, tenantId)
  await callApi(page, 'PATCH', `tenant-admins/${edited?.id}`, { role: 'admin', is_active: false })

  await dialog.getByRole('combobox', { name: 'Tenant' }).fill('Shale')
  await page.getByRole('option', { name: 'Shale Works' }).click()
  await dialog.getByLabel('Role').selectOption('Manager')
  await dialog.getByRole('button', { name: 'Save Changes' }).click()
  await expect(dialog.getByRole('alert')).toContainText('changed this user')
  await expect(dialog.getByRole('row', { name: 'Role Admin Manager' })).toBeVisible()
  await expect(dialog.getByRole('row', { name: 'Tenant Pebble Works Shale Works' })).toBeVisible()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Keep Mine' }).click()
  await expect(dialog).toHaveCount(0)
  const notice = page.getByText('pebble.edited@example.com: tenant, role, and status changed.')
  await expect(notice).toBeVisible()
  expect(await usersOf(page, tenantId)).toEqual([])

  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('pebble.edited@example.com is as before.')).toBeVisible()
  expect(await usersOf(page, tenantId)).toMatchObject([{ role: 'admin', is_active: false }])
})

test('the external ID of a user is edited and finds the user', async ({ signedIn: page, problems }) => {
  problems.expected.push(/status of 409/)
  const tenantId = await makeTenantWithUser(page, 'Cobble Works', 'cobble.billed@example.com')
  await makeUser(page, tenantId, 'cobble.other@example.com', { external_id: 'usr_cobble_1' })
  await page.goto(`/users?tenant_id=${tenantId}`)
  await chooseAction(page, 'Edit', 'cobble.billed@example.com')
  const dialog = page.getByRole('dialog', { name: 'Edit User' })
  await dialog.getByLabel('External ID').fill('usr_cobble_1')
  await dialog.getByRole('button', { name: 'Save Changes' }).click()
  await expect(dialog.getByRole('alert')).toContainText('Another user has this external ID.')
  await dialog.getByLabel('External ID').fill('usr_cobble_2')
  await dialog.getByRole('button', { name: 'Save Changes' }).click()
  await expect(page.getByText('cobble.billed@example.com: external ID changed.')).toBeVisible()
  await page.goto('/users?q=cobble_2')
  await expect(page.getByRole('table', { name: 'Users' })).toContainText('cobble.billed@example.com')
})

test('a new password of a user is shown once', async ({ signedIn: page }) => {
  const tenantId = await makeTenantWithUser(page, 'Gravel Works', 'gravel.forgot@example.com')
  await page.goto(`/users?tenant_id=${tenantId}`)
  await chooseAction(page, 'Edit', 'gravel.forgot@example.com')
  await page.getByRole('button', { name: 'Set Password…' }).click()
  const question = page.getByRole('dialog', { name: 'Set Password' })
  await expect(question).toContainText('The current password stops working at once.')
  await question.getByRole('button', { name: 'Set Password' }).click()
  const secret = page.getByRole('dialog', { name: 'New Password' })
  await expect(secret.getByText(/^[a-z2-9]{5}(-[a-z2-9]{5}){3}$/)).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(secret).toBeVisible()
  await secret.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('button', { name: 'Close Anyway' }).click()
  await expect(secret).toHaveCount(0)
  await expect(page.getByRole('dialog', { name: 'Edit User' })).toBeVisible()
  expect(await usersOf(page, tenantId)).toMatchObject([{ must_change_password: true, last_sign_in_at: null }])
})
