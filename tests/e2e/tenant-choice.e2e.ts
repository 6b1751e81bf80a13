import { expect, expectAccessible, test } from './fixtures.ts'
import { chooseAction, makeTenant } from './tenant-keys.ts'
import { filterButton, filterChip, rowsOf } from './tables.ts'

// The select for a tenant, as a filter of users and in the form of a new user.

test('a tenant without users is named in the filter', async ({ onDashboard: page }) => {
  const tenant = await makeTenant(page, 'Empty Nest')
  await page.goto(`/users?tenant_id=${tenant}`)
  await expect(page.getByText('No users match.')).toBeVisible()
  await expect(filterChip(page, 'Tenant Empty Nest')).toBeVisible()
  // The cached single tenant must not replace a page of the list.
  await page.getByRole('complementary').getByRole('link', { name: 'Tenants' }).click()
  // By its name: the search field of the users page exists for a moment longer.
  await page.getByRole('searchbox', { name: 'Search name or subdomain' }).fill('empty nest')
  await expect(rowsOf(page, 'Tenants')).toHaveCount(1)
  await chooseAction(page, 'Delete', 'Empty Nest')
  const confirm = page.getByRole('dialog', { name: 'Delete Tenant' })
  await confirm.getByLabel('Type the name to confirm').fill('Empty Nest')
  await confirm.getByRole('button', { name: 'Delete' }).click()
  await expect(confirm).toHaveCount(0)
  await expect(page.getByText('Empty Nest was deleted.')).toBeVisible()
  await page.goto('/users?tenant_id=6f6f1b0e-0000-4000-8000-000000000000')
  await expect(filterChip(page, 'Tenant Tenant 6f6f1b0e')).toBeVisible()
})

test('the tenant is searched on the server and chosen by keyboard', async ({ signedIn: page }) => {
  await makeTenant(page, 'Aardwolf House')
  await makeTenant(page, 'Keyboard Zoo')
  await page.goto('/users/create')
  const tenant = page.getByRole('combobox', { name: 'Tenant' })
  await expect(tenant).not.toHaveValue('')
  await tenant.click()
  await expectAccessible(page)
  await tenant.fill('board zo')
  // Faster than the search: Enter may only choose a match.
  await tenant.press('Enter')
  await expect(tenant).toHaveValue(/^(board zo|Keyboard Zoo)$/)
  await tenant.fill('board zo')
  await expect(page.getByRole('listbox').getByRole('option')).toHaveCount(1)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(tenant).toHaveValue('Keyboard Zoo')
  await page.getByLabel('Email Address').fill('keyboard@example.com')
  await page.getByLabel('Password', { exact: true }).fill('seven sisters walk at dusk')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/users')
  await expect(page.getByRole('row').filter({ hasText: 'keyboard@example.com' })).toContainText('Keyboard Zoo')
})

test('a chosen tenant outside the list is not replaced by one in the list', async ({ signedIn: page }) => {
  for (let n = 10; n < 36; n += 1) await makeTenant(page, `AAA Works ${n}`)
  await makeTenant(page, 'Zzz Beyond The List')
  await page.goto('/users/create')
  const tenant = page.getByRole('combobox', { name: 'Tenant' })
  await tenant.fill('zzz beyond')
  await page.getByRole('option', { name: 'Zzz Beyond The List' }).click()
  await tenant.press('ArrowDown')
  await expect(page.getByRole('option', { name: 'AAA Works 10' })).toBeVisible()
  await expect(page.getByText(/^25 of [\d,]+: type to find others$/)).toBeVisible()
  await expectAccessible(page)
  await tenant.press('Enter')
  await expect(tenant).toHaveValue('Zzz Beyond The List')
  // Moving to another option chooses that option.
  await tenant.press('ArrowDown')
  await tenant.press('ArrowDown')
  await tenant.press('Enter')
  await expect(tenant).not.toHaveValue('Zzz Beyond The List')
})

test('tenants that cannot be loaded are reported in the menu of the filter only', async ({
  signedIn: page,
  problems,
}) => {
  problems.expected.push(/status of 403/)
  await page.route('**/api/v1/admin/tenants?*', (route) => route.fulfill({ status: 403, json: { detail: 'No' } }))
  await page.goto('/users')
  await expect(page.getByRole('navigation', { name: 'Pages' })).toBeVisible()
  const before = await page.getByRole('table').boundingBox()
  await filterButton(page).click()
  await page.getByRole('option', { name: 'Tenant' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'Failed to load tenants.' })).toBeVisible()
  expect(await page.getByRole('table').boundingBox()).toEqual(before)
})

test('a tenant that loads after the focus is replaced by the typed text', async ({ onDashboard: page }) => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await makeTenant(page, 'First Works')
  await page.route('**/api/v1/admin/tenants?*', async (route) => {
    await released
    await route.continue()
  })
  await page.goto('/users/create')
  const box = page.getByRole('combobox', { name: 'Tenant' })
  await box.focus()
  release()
  await expect(box).not.toHaveValue('')
  await page.keyboard.type('another')
  await expect(box).toHaveValue('another')
})
