import { expect, test } from './fixtures.ts'

test('invalid values in the address are ignored', async ({ signedIn: page }) => {
  await page.goto('/tenants?sort=password&status=gone&limit=7&unknown=1&q=')
  await expect(page.getByRole('heading', { name: 'Tenants', exact: true })).toBeVisible()
  await expect(page.getByRole('alert')).toHaveCount(0)
})

test('a list that cannot be loaded shows the reason and retries', async ({ signedIn: page, problems }) => {
  problems.expected.push(/status of 409/)
  await page.route('**/api/v1/admin/tenants?*', (route) =>
    route.fulfill({ status: 409, json: { detail: 'Something to read.' } }),
  )
  await page.goto('/tenants?q=no-such-tenant-anywhere')
  await expect(page.getByText('Something to read.')).toBeVisible()
  await page.unroute('**/api/v1/admin/tenants?*')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('No tenants match.')).toBeVisible()
})

test('a temporarily failed call is retried automatically', async ({ signedIn: page, problems }) => {
  problems.expected.push(/status of 503/)
  let calls = 0
  await page.route('**/api/v1/admin/tenants?q=passing*', async (route) => {
    calls += 1
    await (calls < 3 ? route.fulfill({ status: 503, json: { detail: 'Busy' } }) : route.continue())
  })
  await page.goto('/tenants?q=passing')
  await expect(page.getByRole('table', { name: 'Tenants' }).getByText('Loading tenants...')).toBeVisible()
  await expect(page.getByText('No tenants match.')).toBeVisible({ timeout: 15_000 })
  expect(calls).toBe(3)
})
