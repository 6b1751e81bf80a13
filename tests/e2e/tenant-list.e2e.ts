import { expect, test } from './fixtures.ts'
import { shifted } from './measures/layout-shift.ts'
import { expectTotal } from './tables.ts'
import { makeTenant } from './tenant-keys.ts'

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
  await page.getByRole('button', { name: 'Try Again' }).click()
  await expect(page.getByText('No tenants match.')).toBeVisible()
})

test('a temporarily failed call is retried automatically', async ({ onDashboard: page, problems }) => {
  problems.expected.push(/status of 503/)
  let calls = 0
  const seen = Promise.withResolvers<void>()
  await page.route('**/api/v1/admin/tenants?q=passing*', async (route) => {
    calls += 1
    if (calls < 3) return await route.fulfill({ status: 503, json: { detail: 'Busy' } })
    await seen.promise
    await route.continue()
  })
  await page.goto('/tenants?q=passing')
  await expect(page.getByRole('table', { name: 'Tenants' }).getByText('Loading tenants...')).toBeVisible()
  seen.resolve()
  await expect(page.getByText('No tenants match.')).toBeVisible()
  expect(calls).toBe(3)
})

test('a late answer to a search moves nothing that was on the screen', async ({ onDashboard: page }) => {
  // Longer than the half second in which browsers do not count a shift.
  const lateMs = 800
  for (let n = 10; n < 24; n += 1) await makeTenant(page, `Shifting Sands ${n}`)
  await page.route('**/api/v1/admin/tenants?q=*', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, lateMs))
    await route.continue()
  })
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 })
    await page.goto('/tenants?sort=-name')
    const search = page.getByRole('searchbox')
    await expect(search).toBeVisible()
    await expect(page.getByText('Loading tenants...')).toHaveCount(0)
    await search.fill('sands 23')
    await expectTotal(page, 1)
    await search.fill('sands 1')
    await expectTotal(page, 10)
    expect(await shifted(page)).toBeLessThan(0.02)
  }
})
