import type { Page } from '@playwright/test'
import { expect, expectAccessible, test } from './fixtures.ts'
import { makeTenant } from './tenant-keys.ts'

/** Opens the dialog on the page of a new task, and fills in all fields except the country. */
async function openDialog(page: Page, business: string) {
  await makeTenant(page, `Quay Dental ${crypto.randomUUID().slice(0, 8)}`, { tenant_type: 'service' })
  await page.goto('/tasks/create')
  await page.getByRole('button', { name: 'Generate Place ID' }).click()
  const dialog = page.getByRole('dialog', { name: 'Generate Place ID' })
  await expect(dialog.getByLabel('Business/Tenant Name')).toBeFocused()
  await dialog.getByLabel('Business/Tenant Name').fill(business)
  await dialog.getByLabel('City').fill('Austin')
  await dialog.getByLabel('State (optional)').fill('Texas')
  return dialog
}

test('a single open place fills the field directly, by keyboard alone', async ({ onDashboard: page }) => {
  const dialog = await openDialog(page, 'Acme Dental')
  await expect(dialog.getByText('Sample maps data')).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(dialog.getByText('Tenant Business Name, City, and Country are required.')).toBeVisible()
  await expectAccessible(page)
  await dialog.getByRole('combobox', { name: 'Country' }).fill('united st')
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('combobox', { name: 'Country' })).toHaveValue('United States')
  await page.keyboard.press('Enter')
  await expect(dialog).toBeHidden()
  await expect(page.getByLabel('Google Place ID')).toHaveValue(/^ChIJ[\w-]+$/)
  await expect(page.getByText(/Sample Street, Austin, Texas, United States/)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Generate Place ID' })).toBeFocused()
})

test('Escape closes the list of countries first, and then the dialog', async ({ onDashboard: page }) => {
  const dialog = await openDialog(page, 'Acme Dental')
  await dialog.getByRole('combobox', { name: 'Country' }).click()
  await expect(dialog.getByRole('listbox')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog.getByRole('listbox')).toBeHidden()
  await expect(dialog.getByLabel('City')).toHaveValue('Austin')
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
})

test('the admin chooses among several places, with a warning for closed ones', async ({ onDashboard: page }) => {
  const dialog = await openDialog(page, 'Nowhere Bakery')
  const country = dialog.getByRole('combobox', { name: 'Country' })
  await country.fill('états')
  await expect(dialog.getByText('No country found')).toBeVisible()
  await country.fill('states')
  await page.keyboard.press('Enter')
  // While the choices are open, the button must not move under the pointer.
  await country.click()
  await dialog.getByRole('button', { name: 'Generate' }).click()
  await expect(dialog.getByText(/^No matching place on Google Maps\./)).toBeVisible()

  await dialog.getByLabel('Business/Tenant Name').fill('Chain Bakery')
  await dialog.getByRole('button', { name: 'Generate' }).click()
  await expect(dialog.getByRole('radio')).toHaveCount(5)
  await expect(dialog.getByRole('radio', { name: /^Chain Bakery Downtown \d+ Sample Street/ })).toBeFocused()
  await expectAccessible(page)
  await dialog.getByRole('radio', { name: /Temporarily closed/ }).check()
  await expect(dialog.getByText('Google Maps says that this place is temporarily closed.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Use This Place' }).click()
  await expect(page.getByText('Chain Bakery Harbour')).toBeVisible()
})

test('a failed look-up keeps the typed text', async ({ onDashboard: page, problems }) => {
  problems.expected.push(/503/)
  const dialog = await openDialog(page, 'Acme Dental')
  await dialog.getByRole('combobox', { name: 'Country' }).fill('germ')
  await page.keyboard.press('Enter')
  await page.route('**/google/places/id/generate', (route) => route.fulfill({ status: 503, body: '<html>' }))
  await dialog.getByRole('button', { name: 'Generate' }).click()
  await expect(dialog.getByRole('alert')).toBeVisible()
  await expect(dialog.getByLabel('City')).toHaveValue('Austin')
  await page.unroute('**/google/places/id/generate')
  await dialog.getByRole('button', { name: 'Generate' }).click()
  await expect(page.getByText(/Sample Street, Austin, Texas, Germany/)).toBeVisible()
})
