import { callApi, expect, expectAccessible, test, untilLoaded } from './fixtures.ts'
import { person } from './person.ts'
import { rowsOf } from './tables.ts'
import { makeTenant } from './tenant-keys.ts'

// Calls of customers: the clicks from the call to the answer.

test('a colleague is added in six clicks', async ({ signedIn: page }) => {
  const { click, type, clicks } = person(page)
  await makeTenant(page, 'Gantry Bookbinders')
  await page.goto('/')
  await untilLoaded(page)

  await click(page.getByRole('button', { name: /^Search/ }))
  await type(page.getByRole('combobox', { name: 'Search records, screens and actions' }), 'gantry book')
  await click(page.getByRole('option', { name: /^Gantry Bookbinders/ }))
  await click(page.getByRole('navigation', { name: 'Tenant' }).getByRole('link', { name: 'Users' }))
  // The empty list has a second link to the same page.
  await click(page.getByRole('link', { name: 'New User' }).first())
  await type(page.getByLabel('Email Address'), 'vellum@gantry.example')
  await type(page.getByLabel('Password', { exact: true }), 'five lanterns over gravel')
  await click(page.getByRole('button', { name: 'Create User' }))
  await expect(rowsOf(page, 'Users')).toContainText(['vellum@gantry.example'])
  expect(clicks()).toBeLessThanOrEqual(6)
})

test('what changed last week is one click from the page of the tenant', async ({ signedIn: page }) => {
  const { click, clicks } = person(page)
  const id = await makeTenant(page, 'Gantry Framers')
  await callApi(page, 'PUT', `tenants/${id}`, { goal: 'frame the picture' })
  await page.goto(`/tenants/${id}`)

  await click(page.getByRole('link', { name: 'All of the last 7 days' }))
  const lastWeek = page.getByRole('button', { name: /^When .*: show all$/ })
  await expect(lastWeek).toBeVisible()
  await expect(rowsOf(page, 'Activity')).toHaveCount(2)
  expect(clicks()).toBe(1)
  await expectAccessible(page)

  const from = new URL(page.url()).searchParams.get('from')
  expect(Date.parse(from ?? '')).toBeGreaterThan(Date.now() - 7 * 86_400_000)
  await lastWeek.click()
  await expect(page).toHaveURL(`/tenants/${id}/activity`)
})
