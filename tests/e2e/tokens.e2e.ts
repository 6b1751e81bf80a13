import { expect, expectAccessible, expectNoSidewaysScroll, testAlone } from './fixtures.ts'
import { chooseAction, makeTenant } from './tenant-keys.ts'

const test = testAlone()

test('a service token is created, used, found in the activity, and revoked', async ({ signedIn: page }) => {
  await page.goto('/settings')
  await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Tokens' }).click()
  await expect(page).toHaveURL('/settings/tokens')
  await expect(page.getByText('No service tokens yet')).toBeVisible()
  await expectAccessible(page)

  await page.getByRole('button', { name: 'New token' }).click()
  const dialog = page.getByRole('dialog', { name: 'New Service Token' })
  await dialog.getByRole('button', { name: 'Create token' }).click()
  await expect(dialog.getByText('A token needs a name.')).toBeVisible()
  await dialog.getByLabel('Name').fill('Billing')
  const access = dialog.getByLabel('Access')
  await expect(access).toHaveValue('runtime')
  await access.selectOption('Billing')
  await expect(dialog.getByRole('checkbox', { name: 'Create and edit tenants and their notes' })).toBeChecked()
  await dialog.getByRole('checkbox', { name: 'Create and edit users' }).uncheck()
  await expect(access.locator('option:checked')).toHaveText('Custom')
  await dialog.getByLabel('Expires').selectOption('In 30 days')
  await dialog.getByLabel('Networks').fill('127.0.0.0/8, nowhere')
  await dialog.getByRole('button', { name: 'Create token' }).click()
  await expect(dialog.getByText(/Use an address or a network/)).toBeVisible()
  await dialog.getByLabel('Networks').fill('127.0.0.0/8 ::1')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Create token' }).click()

  const shown = page.getByRole('dialog', { name: 'Service Token Created' })
  const secret = await shown.locator('code').innerText()
  expect(secret).toMatch(/^sb_svc_[0-9A-Za-z]{46}$/)
  await shown.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('button', { name: 'Close Anyway' }).click()

  const row = page.getByRole('row', { name: /Billing/ })
  await expect(row).toContainText('read, tenants:write, keys:write')
  await expect(row).toContainText('127.0.0.0/8, ::1/128')
  await expect(row).toContainText('Never')
  await expect(row).toContainText('Active')
  const addTenant = async (subdomain: string) =>
    await page.request.post('/api/v1/admin/tenants', {
      headers: { authorization: `Bearer ${secret}` },
      data: { name: 'Billed', subdomain, tenant_type: 'product' },
    })
  expect((await addTenant('billed')).status()).toBe(201)
  await page.reload()
  await expect(row).not.toContainText('Never')
  await expectAccessible(page)

  await chooseAction(row, 'Activity')
  await expect(page).toHaveURL(/\/settings\/activity\?actor=/)
  const entry = page.getByRole('row', { name: /Created the tenant Billed/ })
  await expect(entry).toContainText(/Token "Billing" of /)
  await page.goBack()

  await chooseAction(row, 'Revoke')
  const question = page.getByRole('alertdialog').or(page.getByRole('dialog'))
  await question.getByRole('button', { name: 'Revoke', exact: true }).click()
  await expect(page.getByText('Billing was revoked.')).toBeVisible()
  await expect(row).toContainText('Revoked')
  await row.getByRole('button', { name: 'More actions for Billing' }).click()
  await expect(page.getByRole('menuitem')).toHaveText(['Activity'])
  expect((await addTenant('billed-2')).status()).toBe(401)
})

test('a token of the runtime is limited to a tenant, and reads its prompt', async ({ signedIn: page, server }) => {
  const id = await makeTenant(page, 'Quay Tokens')
  await page.goto('/settings/tokens')
  await page.getByRole('button', { name: 'New token' }).click()
  const dialog = page.getByRole('dialog', { name: 'New Service Token' })
  await dialog.getByLabel('Name').fill('Assistants')
  await dialog.getByRole('combobox', { name: 'Tenants' }).fill('quay')
  await page.getByRole('option', { name: /Quay Tokens/ }).click()
  await expect(dialog.getByRole('list', { name: 'Chosen tenants' })).toContainText('Quay Tokens')
  const users = dialog.getByRole('checkbox', { name: 'Create and edit users' })
  await users.check()
  await dialog.getByRole('button', { name: 'Create token' }).click()
  await expect(dialog.getByText(/Only a token without scopes of the admin API/)).toBeVisible()
  await users.uncheck()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Create token' }).click()

  const shown = page.getByRole('dialog', { name: 'Service Token Created' })
  await expect(shown).toContainText('Assistants, Runtime')
  const secret = await shown.locator('code').innerText()
  await shown.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('button', { name: 'Close Anyway' }).click()
  const row = page.getByRole('row', { name: /Assistants/ })
  await expect(row).toContainText('Runtime')
  await expect(row).toContainText('Quay Tokens')

  const prompt = async (tenantId: string) => {
    const headers = { authorization: `Bearer ${secret}` }
    return await page.request.get(`${server.aiUrl}/v1/prompts/general?tenant_id=${tenantId}`, { headers })
  }
  expect((await prompt(id)).status()).toBe(200)
  expect((await prompt('7d3f4c1a-0b52-4a1e-9c38-5e6f7a8b9c0d')).status()).toBe(404)
})

test('the page of tokens leads to the reference of both APIs', async ({ signedIn: page }) => {
  await page.goto('/settings/tokens')
  const [reference] = await Promise.all([
    page.waitForEvent('popup'),
    page.getByRole('link', { name: 'API reference' }).click(),
  ])
  await expect(reference.getByRole('heading', { name: 'Create a tenant', exact: true })).toBeVisible()
  await reference.getByRole('link', { name: 'AI API' }).click()
  await expect(reference.getByRole('heading', { name: 'Verify an API key' })).toBeVisible()
  await expectAccessible(reference)
  await expectNoSidewaysScroll(reference, 1024, 390, 320)
})
