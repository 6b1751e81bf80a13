import type { Page } from '@playwright/test'
import { expect, expectAccessible, test } from './fixtures.ts'
import { rowOf, rowsOf, setFilter, tableOf } from './tables.ts'
import { chooseAction, makeTenant, makeTenants } from './tenant-keys.ts'

const row = (page: Page, name: string) => rowOf(page, 'Tenants', name)
const firstName = (page: Page) => rowsOf(page, 'Tenants').first().getByRole('cell').nth(1)

test('a tenant is created, seen, edited and deleted', async ({ signedIn: page }) => {
  await page.goto('/tenants')
  await page.getByRole('link', { name: 'New Tenant' }).first().click()
  await expect(page).toHaveURL('/tenants/create')
  await expect(page).toHaveTitle('New Tenant · Switchboard')
  const create = page.getByRole('button', { name: 'Create Tenant' })
  await expect(create).toBeDisabled()
  const subdomain = page.getByLabel('Subdomain')
  await page.getByLabel('Tenant Name').fill('  Harbor Café  ')
  await expect(subdomain).toHaveValue('harbor-cafe')
  await expect(create).toBeEnabled()
  await subdomain.fill('own')
  await page.getByLabel('Tenant Name').fill('  Harbor Dental  ')
  await expect(subdomain).toHaveValue('own')
  await subdomain.fill('')
  await expect(create).toBeDisabled()
  await page.getByLabel('Subdomain').fill(' Harbor  Dental')
  await expect(page.getByText('https://harbor-dental.switchboard.example')).toBeVisible()
  await page.getByLabel('Business Type').selectOption('Service Company')
  await create.click()

  await expect(page).toHaveURL('/tenants')
  const made = row(page, 'Harbor Dental')
  await expect(made).toContainText('harbor-dental')
  await expect(made).toContainText('Service')
  await expect(made).toContainText('Active')
  const link = made.getByRole('link', { name: 'harbor-dental', exact: true })
  await expect(link).toHaveAttribute('href', 'https://harbor-dental.switchboard.example')
  await expect(link).toHaveAttribute('target', '_blank')
  await expect(link).toHaveAttribute('rel', 'noopener noreferrer')

  await chooseAction(made, 'Edit', 'Harbor Dental')
  const dialog = page.getByRole('dialog', { name: 'Edit Tenant' })
  await expect(dialog.getByLabel('Tenant Name')).toBeFocused()
  await expect(dialog.getByLabel('Subdomain')).toHaveAttribute('readonly')
  await expect(dialog.getByLabel('Business Type')).toHaveAccessibleDescription(/which AI prompts and tools/)
  await dialog.getByLabel('Status').selectOption('Inactive')
  await dialog.getByLabel('Goal').fill('Book a first appointment')
  await dialog.getByRole('button', { name: 'Suspend Tenant' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(made).toContainText('Inactive')
  await expect(made.getByRole('button', { name: 'More actions for Harbor Dental' })).toBeFocused()

  await chooseAction(made, 'Delete', 'Harbor Dental')
  const confirm = page.getByRole('dialog', { name: 'Delete Tenant' })
  await expect(confirm).toContainText('For 30 days the tenant can be restored with all its records.')
  await page.keyboard.press('Escape')
  await expect(confirm).toHaveCount(0)
  await chooseAction(made, 'Delete', 'Harbor Dental')
  await confirm.getByLabel('Type the name to confirm').fill('Harbor Dental')
  await confirm.getByRole('button', { name: 'Delete' }).click()
  await expect(confirm).toHaveCount(0)
  await expect(made).toHaveCount(0)
})

test('the slider goes by tenths with the keyboard and changes its color at 3 and 6', async ({ signedIn: page }) => {
  await makeTenant(page, 'Slider Works')
  await page.goto('/tenants?q=slider')
  await chooseAction(page, 'Edit', 'Slider Works')
  const slider = page.getByRole('slider', { name: 'Aggressiveness' })
  const valueText = () => slider.getAttribute('aria-valuetext')
  await expect(slider).toHaveValue('5')
  for (const mark of ['0 Passive', '5 Balanced', '10 Assertive']) await expect(page.getByText(mark)).toBeVisible()

  await slider.focus()
  const press = async (key: string, times: number) => {
    for (let n = 0; n < times; n += 1) await page.keyboard.press(key)
  }
  const color = () =>
    slider.evaluate(
      (element) =>
        getComputedStyle(element.closest('div') ?? element).getPropertyValue('--band') ||
        element.closest('div')?.className,
    )
  await press('ArrowRight', 10)
  await expect(slider).toHaveValue('6')
  const yellow = await color()
  await press('ArrowRight', 1)
  await expect(slider).toHaveValue('6.1')
  const red = await color()
  await press('Home', 1)
  await expect(slider).toHaveValue('0')
  await press('ArrowRight', 30)
  await expect(slider).toHaveValue('3')
  const green = await color()
  await press('ArrowRight', 1)
  await expect(slider).toHaveValue('3.1')
  expect(new Set([green, yellow, red]).size).toBe(3)
  expect(await color()).toBe(yellow)
  await press('End', 1)
  expect(await valueText()).toContain('10.0')
  await press('Home', 1)
  await press('ArrowRight', 73)

  await page.getByRole('button', { name: 'Save Changes' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await chooseAction(page, 'Edit', 'Slider Works')
  await expect(page.getByRole('slider')).toHaveValue('7.3')
})

test('a blank name is refused beside its field, and nothing is sent', async ({ signedIn: page }) => {
  await makeTenant(page, 'Nameless Works')
  await page.goto('/tenants?q=nameless')
  await chooseAction(page, 'Edit', 'Nameless Works')
  let writes = 0
  page.on('request', (request) => (writes += request.method() === 'PUT' ? 1 : 0))
  await page.getByLabel('Tenant Name').fill('   ')
  await page.getByRole('button', { name: 'Save Changes' }).click()
  await expect(page.getByText('Tenant name is required')).toBeVisible()
  expect(writes).toBe(0)
})

test('an invisible name and text with a changed direction are refused beside the field, and the typed text stays', async ({
  signedIn: page,
  problems,
}) => {
  problems.expected.push(/status of 422/)
  await page.goto('/tenants/create')
  await page.getByLabel('Subdomain').fill('unseen-works')
  const name = page.getByLabel('Tenant Name')
  for (const [typed, message] of [
    ['\u200b\u3164', 'Tenant name is required'],
    ['Unseen \u202eskroW', 'This text has invisible control characters. Type it instead of pasting it.'],
  ] as const) {
    await name.fill(typed)
    await page.getByRole('button', { name: 'Create Tenant' }).click()
    await expect(name).toHaveAccessibleDescription(message)
    await expect(name).toHaveValue(typed)
  }
})

test('while saving, the dialog says Updating..., cannot be closed and sends once', async ({ signedIn: page }) => {
  await makeTenant(page, 'Patient Works')
  await page.goto('/tenants?q=patient')
  await chooseAction(page, 'Edit', 'Patient Works')
  const dialog = page.getByRole('dialog', { name: 'Edit Tenant' })
  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  let writes = 0
  await page.route('**/api/v1/admin/tenants/*', async (route) => {
    if (route.request().method() === 'PUT') writes += 1
    await held
    await route.continue()
  })
  await dialog.getByLabel('Tenant Name').fill('Patient Works 2')
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('button', { name: 'Updating...' })).toBeDisabled()
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeDisabled()
  await page.keyboard.press('Escape')
  await page.mouse.click(5, 5)
  await expect(dialog).toBeVisible()
  release()
  await expect(dialog).toHaveCount(0)
  await expect(row(page, 'Patient Works 2')).toBeVisible()
  expect(writes).toBe(1)
})

test('after a failed save, the message is in the dialog and the typed text stays', async ({
  signedIn: page,
  problems,
}) => {
  problems.expected.push(/status of 500/)
  await makeTenant(page, 'Failing Works')
  await page.goto('/tenants?q=failing')
  await chooseAction(page, 'Edit', 'Failing Works')
  const dialog = page.getByRole('dialog', { name: 'Edit Tenant' })
  await page.route('**/api/v1/admin/tenants/*', (route) =>
    route.fulfill({ status: 500, json: { detail: 'Internal error', request_id: 'x' } }),
  )
  await dialog.getByLabel('Goal').fill('Do not lose me')
  await dialog.getByRole('button', { name: 'Save Changes' }).click()
  await expect(dialog.getByRole('alert')).toContainText('Internal error')
  await expect(dialog.getByLabel('Goal')).toHaveValue('Do not lose me')
  await expectAccessible(page)
})

test('a taken subdomain is reported in an alert, a wrong field only beside the field, and the typed text stays', async ({
  signedIn: page,
  problems,
}) => {
  problems.expected.push(/status of 409/, /status of 422/)
  await makeTenant(page, 'Taken Works')
  await page.goto('/tenants/create')
  await page.getByLabel('Tenant Name').fill('Another')
  await page.getByLabel('Subdomain').fill('Taken Works')
  await page.getByRole('button', { name: 'Create Tenant' }).click()
  await expect(page.getByRole('alert')).toContainText('This subdomain is already taken.')
  await expect(page.getByLabel('Tenant Name')).toHaveValue('Another')
  await expectAccessible(page)
  // Only the error of the other field is announced.
  await page.getByLabel('Subdomain').fill('www')
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('Subdomain')).toHaveAccessibleDescription(/reserved/)
  await expect(page.getByRole('alert')).toHaveCount(0)
  await page.getByLabel('Subdomain').fill('Taken Works')
  await page.route('**/api/v1/admin/tenants', (route) =>
    route.fulfill({ status: 422, json: { detail: [{ loc: ['body', 'name'], msg: 'Too odd.', type: 'value_error' }] } }),
  )
  await page.getByRole('button', { name: 'Create Tenant' }).click()
  await expect(page.getByLabel('Tenant Name')).toHaveAccessibleDescription('Too odd.')
  await expect(page.getByText('Too odd.')).toHaveCount(1)
})

test('an invalid subdomain shows its error beside the field, and nothing is sent', async ({ signedIn: page }) => {
  await page.goto('/tenants/create')
  await page.getByLabel('Tenant Name').fill('Another')
  for (const [typed, error] of [
    ['www', 'reserved'],
    ['-no', 'Lowercase letters, digits and hyphens'],
    ['xn--abc', 'third and fourth'],
  ] as const) {
    await page.getByLabel('Subdomain').fill(typed)
    await page.getByRole('button', { name: 'Create Tenant' }).click()
    await expect(page.getByLabel('Subdomain')).toHaveAccessibleDescription(new RegExp(error))
    await expect(page.getByLabel('Subdomain')).toHaveAttribute('aria-invalid', 'true')
  }
  await page.getByRole('link', { name: 'Cancel' }).click()
  await expect(page).toHaveURL('/tenants')
})

test('search, filters, sort, page size and page live in the address, and Back restores them', async ({
  signedIn: page,
}) => {
  await makeTenants(page, 'Paged', 30)
  await page.goto('/tenants')
  await page.getByRole('searchbox').fill('paged')
  await expect(page).toHaveURL(/q=paged/)
  await expect(page.getByText('1–30 of 30')).toBeVisible()
  await page.getByLabel('Rows per page').selectOption('25')
  await page.getByRole('button', { name: 'Name' }).click()
  await expect(tableOf(page, 'Tenants').getByRole('columnheader', { name: 'Name' })).toHaveAttribute(
    'aria-sort',
    'ascending',
  )
  await expect(firstName(page)).toHaveText('Paged 01')

  await page.getByRole('link', { name: 'Next' }).click()
  await expect(page.getByText('26–30 of 30')).toBeVisible()
  await expect(page).toHaveURL(/cursor=/)
  const deep = page.url()
  await setFilter(page, 'Status', 'Inactive')
  await expect(page).not.toHaveURL(/cursor=/)
  await expect(page.getByText('No tenants match.')).toBeVisible()
  await page.goBack()
  await expect(page).toHaveURL(deep)
  await expect(page.getByText('26–30 of 30')).toBeVisible()
  await page.reload()
  await expect(page.getByText('26–30 of 30')).toBeVisible()
  await expect(page.getByRole('searchbox')).toHaveValue('paged')
  await page.getByRole('link', { name: 'Previous' }).click()
  await expect(page.getByText('1–25 of 30')).toBeVisible()
  await expect(firstName(page)).toHaveText('Paged 01')
})
