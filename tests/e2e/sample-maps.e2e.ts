import { callApi, expect, test } from './fixtures.ts'
import { EMAIL, PASSWORD, startServer } from './server.ts'

const PATH = 'google/places/id/generate'
const ACME = { tenant_name: 'Acme Dental', city: 'Austin', country: 'United States' }

test('without a Google key, sample maps answer and the console says so', async ({ onDashboard: page }) => {
  expect(await callApi(page, 'POST', PATH, ACME)).toMatchObject({
    success: true,
    data: { candidates: [{ name: 'Acme Dental', address: expect.stringContaining('Sample Street') }] },
  })
  const settings = await page.locator('#console-settings').textContent()
  expect(JSON.parse(settings ?? '')).toMatchObject({ sample_maps: true })
})

test('with a Google key, the configured URL is called, and the page does not contain the key', async ({ page }) => {
  const key = 'AIza-of-the-browser-test'
  // No server listens there.
  const server = await startServer({ GOOGLE_MAPS_API_KEY: key, GOOGLE_PLACES_URL: 'http://127.0.0.1:1' })
  await page.goto(server.url)
  // The page makes no call when the server ends.
  await expect(page.getByRole('button', { name: 'Sign In', exact: true })).toBeVisible()
  const settings = await page.locator('#console-settings').textContent()
  expect(JSON.parse(settings ?? '')).toMatchObject({ sample_maps: false })
  expect(await page.content()).not.toContain(key)
  const { access_token } = await (
    await page.request.post(`${server.url}/api/v1/admin/auth/login`, { data: { email: EMAIL, password: PASSWORD } })
  ).json()
  const answer = await page.request.post(`${server.url}/api/v1/admin/${PATH}`, {
    data: ACME,
    headers: { authorization: `Bearer ${access_token}` },
  })
  expect([answer.status(), await answer.json()]).toEqual([
    503,
    { detail: 'Google Maps cannot be reached. Try again later.', code: 'unavailable' },
  ])
  await server.stop()
})
