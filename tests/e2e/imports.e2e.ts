import type { Page } from '@playwright/test'
import { callApi, expect, expectAccessible, expectNoSidewaysScroll, test } from './fixtures.ts'
import { holdAnswers } from './held-answers.ts'
import { makeTenant } from './tenant-keys.ts'
import { chooseListAction } from './tables.ts'

/** Chooses a file with this text. */
async function chooseFile(page: Page, text: string | Buffer): Promise<void> {
  const buffer = typeof text === 'string' ? Buffer.from(text) : text
  await page.getByLabel('CSV file').setInputFiles({ name: 'import.csv', mimeType: 'text/csv', buffer })
}

const results = (page: Page) => page.getByRole('table').getByRole('row')

test('the export of tenants is read back unchanged, and new rows are imported beside a refused one', async ({
  signedIn: page,
}) => {
  await makeTenant(page, '=Quernstone Mills', { subdomain: 'quernstone-mills' })
  await page.goto('/tenants?q=quernstone')
  await chooseListAction(page, 'Export')
  const download = page.waitForEvent('download')
  await page.getByRole('dialog').getByRole('button', { name: 'Export' }).click()
  const file = await (await download).path()
  await chooseListAction(page, 'Import CSV')
  await expect(page.getByRole('heading', { name: 'Import Tenants' })).toBeVisible()

  await chooseFile(page, Buffer.from([0x50, 0x4b, 0x03, 0x04, 0xff]))
  await expect(page.getByRole('alert')).toContainText('The file is not a text file in UTF-8.')
  await page.getByLabel('CSV file').setInputFiles(file)
  await expect(page.getByLabel('Subdomain')).toHaveAccessibleDescription('First: quernstone-mills')
  await expect(page.getByText(/^Not imported: id, admin_count, .*\bversion, created_at\b/)).toBeVisible()
  await page.getByRole('button', { name: 'Check 1 Row' }).click()
  await expect(page.getByText('1 row: 1 unchanged')).toBeVisible()

  await chooseFile(
    page,
    [
      'Company;Subdomain;Type;Goal',
      '"Cordwainer; Sons";cordwainer-sons;service;"Sell ""rope"""',
      'Kelpworks;kelpworks;shop;',
      '=Quernstone Mills;quernstone-mills;service;',
      'Cordwainer again;cordwainer-sons;service;',
    ].join('\r\n'),
  )
  await expect(page.getByRole('button', { name: 'Check 4 Rows' })).toBeDisabled()
  await page.getByLabel('Tenant Name').selectOption('Company')
  await page.getByRole('button', { name: 'Check 4 Rows' }).click()
  await expect(page.getByText('4 rows: 1 new, 2 refused, 1 different')).toBeVisible()
  await expect(results(page).nth(1)).toHaveText(/^3kelpworksRefusedBusiness Type: Use product or service\.$/)
  await expect(results(page).nth(2)).toContainText('Line 2 has the same subdomain.')
  await expectAccessible(page)
  await expectNoSidewaysScroll(page)
  await page.getByLabel('Result').selectOption('All rows (4)')
  await expect(results(page).nth(3)).toContainText('Business Type: The existing record has "product".')
  await page.getByRole('button', { name: 'Import 1 Tenant' }).click()
  await expect(page.getByText('1 tenant was created.')).toBeVisible()
  await page.getByLabel('Result').selectOption('Created (1)')
  await expect(results(page).nth(1)).toHaveText(/^2cordwainer-sonsCreated$/)
  await page.getByRole('link', { name: 'Show tenants' }).click()
  await expect(page.getByRole('row', { name: /Cordwainer; Sons/ })).toBeVisible()
})

test('users are imported without a password, and a stopped import is continued', async ({ signedIn: page }) => {
  await makeTenant(page, 'Tarnwater Ferries')
  const rows = Array.from({ length: 120 }, (_, n) => `ferry-${n}@tarnwater.example,user,tarnwater-ferries`)
  const text = ['email,role,subdomain', ...rows].join('\n')
  await page.goto('/users/import')
  await chooseFile(page, text)
  await page.getByRole('button', { name: 'Check 120 Rows' }).click()
  await expect(page.getByText('Imported users have no password.')).toBeVisible()

  const release = await holdAnswers(page, '**/tenant-admins/import')
  await page.getByRole('button', { name: 'Import 120 Users' }).click()
  await expect(page.getByText('0 of 120 users')).toBeVisible()
  await page.getByRole('button', { name: 'Stop' }).click()
  release()
  await expect(page.getByText('Stopped. 40 users were created.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Import 80 Users' })).toBeVisible()

  // After a closed tab, the same file is chosen again.
  await page.reload()
  await chooseFile(page, text)
  await page.getByRole('button', { name: 'Check 120 Rows' }).click()
  await expect(page.getByText('120 rows: 40 unchanged, 80 new')).toBeVisible()
  await page.getByRole('button', { name: 'Import 80 Users' }).click()
  await expect(page.getByText('80 users were created.')).toBeVisible()
  const users = await callApi(page, 'GET', 'tenant-admins?limit=1&q=ferry-119%40tarnwater.example')
  expect(users).toMatchObject([{ role: 'user', must_change_password: true, tenant_name: 'Tarnwater Ferries' }])
})

test('a file from Excel is read with its separator, and the page says what it leaves out', async ({
  signedIn: page,
}) => {
  await page.goto('/tenants/import')
  await chooseFile(
    page,
    ['sep=;', 'Name;Subdomain;Type;;Owner, place', ';;;;', 'Oast House;oast-house;product;7;Kent', ';;;;'].join('\r\n'),
  )
  await expect(page.getByText('Not imported: Column 4, Owner, place.')).toBeVisible()
  await expect(page.getByText('2 empty rows are left out.')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Check 1 Row' }).click()
  await expect(page.getByText('1 row: 1 new')).toBeVisible()
  await expect(results(page).nth(1)).toContainText('4oast-house')
})

test('a file with 100,000 columns is refused at once', async ({ signedIn: page }) => {
  await page.goto('/users/import')
  await chooseFile(page, `${'a;'.repeat(100_000)}\n${'1;'.repeat(100_000)}`)
  await expect(page.getByRole('alert')).toHaveText(
    'Line 1 has more than 200 columns. Delete the columns that are not imported.',
  )
  await expect(page.getByRole('combobox')).toHaveCount(0)
  // The widest file that is accepted, with a cell that is much too long.
  const names = Array.from({ length: 199 }, (_, n) => `Column ${n}`)
  await chooseFile(page, `Email;${names.join(';')}\n${'x'.repeat(5_000_000)};1`)
  await expect(page.getByLabel('Email')).toHaveAccessibleDescription(/^First: x{80}$/)
})
