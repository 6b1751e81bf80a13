import type { Page } from '@playwright/test'
import { figure, part } from './dashboard-parts.ts'
import { callApi, expect, expectAccessible, testAlone } from './fixtures.ts'
import { person } from './person.ts'

const test = testAlone()

/** Calls are counted every two seconds, and the guide asks every five. */
const COUNTED = { timeout: 60_000 }

test('an empty installation leads to the first review in at most fifteen clicks', async ({
  onDashboard: page,
  server,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const { click, type, choose, clicks } = person(page)
  const guide = part(page, 'First steps')
  const next = page.getByRole('region', { name: 'Next steps' })
  const link = (name: string) => page.getByRole('link', { name, exact: true })
  await expect(guide.getByText('0 of 5 done')).toBeVisible()
  await expect(guide.getByText('/v1/keys/authorize')).toHaveCount(0)

  await click(guide.getByRole('link', { name: 'Create Tenant' }))
  await type(page.getByLabel('Tenant Name'), 'Harbor Dental')
  await expect(page.getByLabel('Subdomain')).toHaveValue('harbor-dental')
  await click(page.getByRole('button', { name: 'Create Tenant' }))
  await expect(page).toHaveURL('/tenants')
  await expect(next.getByText('Harbor Dental was created.')).toBeVisible()
  await expectAccessible(page)
  await page.reload()

  await click(next.getByRole('link', { name: 'Add User' }))
  await expect(page.getByRole('combobox', { name: 'Tenant' })).toHaveValue('Harbor Dental')
  await type(page.getByLabel('Email Address'), 'grace@harbor.example')
  await type(page.getByLabel('Password', { exact: true }), 'seven sisters walk at dusk')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/tenants\/[-\w]{36}\/users$/)
  await expect(next.getByText('grace@harbor.example was created.')).toBeVisible()

  await click(next.getByRole('link', { name: 'Generate Key' }))
  await click(page.getByRole('dialog').getByRole('button', { name: 'Generate Key' }))
  const secret = page.getByRole('dialog', { name: 'API Key Generated' })
  await click(secret.getByRole('button', { name: 'Copy', exact: true }))
  await expect(secret.getByRole('button', { name: 'Copied' })).toBeVisible()
  const api_key = await page.evaluate(() => navigator.clipboard.readText())
  await click(secret.getByRole('button', { name: 'Done' }))
  await expect(page).toHaveURL('/keys')
  await expect(next.getByText('API Key for Harbor Dental was generated.')).toBeVisible()

  await click(next.getByRole('link', { name: 'Schedule Reviews' }))
  await expect(page.getByRole('combobox', { name: 'Tenant' })).toHaveValue('Harbor Dental')
  await choose(page.getByLabel('Frequency'), 'Weekly')
  await type(page.getByLabel('Google Place ID'), 'ChIJonboarding')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/tenants\/[-\w]{36}\/tasks$/)
  expect(clicks()).toBeLessThanOrEqual(15)

  await link('Dashboard').click()
  await expect(guide.getByText('4 of 5 done')).toBeVisible()
  await expect(figure(page, 'Total Tenants')).toHaveText('1')
  await expectAccessible(page)
  const example = guide.getByText(`curl -i ${server.aiUrl}/v1/keys/authorize`)
  await expect(example).toContainText("-H 'Origin: https://")
  const masked = `${api_key.slice(0, 12)}…${api_key.slice(-4)}`
  await expect(example).toContainText(`-H 'X-Api-Key: ${masked}'`)

  await page.request.post(`${server.aiUrl}/v1/keys/verify`, { data: { api_key, origin: 'https://elsewhere.example' } })
  await expect(guide.getByText('A call was refused.')).toBeVisible(COUNTED)
  const [, origin = ''] = /Origin: ([^']+)/.exec(await example.innerText()) ?? []
  const headers = { origin, 'x-api-key': api_key }
  const answer = await page.request.get(`${server.aiUrl}/v1/keys/authorize`, { headers })
  expect(answer.status()).toBe(204)
  await expect(guide.getByText('5 of 5 done')).toBeVisible(COUNTED)
  await guide.getByRole('button', { name: 'Close' }).click()
  await expect(guide).toHaveCount(0)
  await page.reload()
  await expect(part(page, 'Calls').getByRole('listitem').first()).toContainText('1 accepted')
  await expect(figure(page, 'Total Tenants')).toHaveText('1')
  await expect(guide).toHaveCount(0)

  await callApi(page, 'DELETE', `tasks/${await onlyTask(page)}`)
  await page.evaluate(() => localStorage.removeItem('first_steps_hidden'))
  await page.reload()
  await expect(guide.getByText('4 of 5 done')).toBeVisible()
  await guide.getByRole('button', { name: 'Hide' }).click()
  await expect(guide).toHaveCount(0)
  await page.reload()
  await expect(figure(page, 'Total Tenants')).toHaveText('1')
  await expect(guide).toHaveCount(0)
})

/** The path of the only task, as the call to delete it has it. */
async function onlyTask(page: Page): Promise<string> {
  const tasks = await callApi(page, 'GET', 'tasks')
  const [task] = Array.isArray(tasks) ? tasks : []
  return `${task.tenant_id}/schedule/${task.id}`
}
