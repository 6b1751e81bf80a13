import type { Page } from '@playwright/test'
import { callApi, expect, expectAccessible, expectNoSidewaysScroll, test } from './fixtures.ts'
import { rowOf, rowsOf } from './tables.ts'
import { chooseAction, idOf, makeKey, makeTenant, makeUser, secretOf } from './tenant-keys.ts'

const tabs = (page: Page) => page.getByRole('navigation', { name: 'Tenant' })
const main = (page: Page) => page.getByRole('main')
const title = (page: Page) => page.getByRole('heading', { level: 1 })
const state = (page: Page) => page.getByRole('region', { name: 'State' })
const notifications = (page: Page) => page.getByRole('region', { name: 'Notifications' })

/** A tenant with a user, two keys and a task. */
async function makeCustomer(page: Page, name: string, email: string): Promise<string> {
  const tenant_id = await makeTenant(page, name)
  await makeUser(page, tenant_id, email, { role: 'admin' })
  for (const key of ['Counter', 'Window']) await makeKey(page, tenant_id, { name: `${key} of ${name}` })
  await callApi(page, 'POST', 'tasks/schedule', {
    tenant_id,
    schedule_name: 'pull_google_review',
    frequency: 'weekly',
    extra_data: { place_id: `ChIJ${email.slice(0, 4)}`, place_name: `Shop of ${name}` },
  })
  return tenant_id
}

test('a tenant opens from the list, and each tab is the list of all tenants, narrowed', async ({ signedIn: page }) => {
  const id = await makeCustomer(page, 'Ropewalk Chandlery', 'hemp@ropewalk.example')
  await makeCustomer(page, 'Ropewalk Annex', 'jute@ropewalk.example')
  await page.goto('/tenants?q=ropewalk&sort=-name')
  await rowOf(page, 'Tenants', 'Ropewalk Chandlery').getByRole('link', { name: 'Ropewalk Chandlery' }).click()
  await expect(page).toHaveURL(`/tenants/${id}`)
  await expect(title(page)).toHaveText('Ropewalk Chandlery')
  await expect(title(page)).toBeFocused()
  const site = main(page).getByRole('link', { name: /^ropewalk-chandlery\.switchboard\.example/ })
  await expect(site).toHaveAttribute('target', '_blank')
  await expect(main(page).getByText('2 active, no call yet')).toBeVisible()
  await expect(state(page)).toHaveCount(0)
  await expect(tabs(page).getByRole('link')).toHaveText([
    'Overview',
    'Users 1',
    'API Keys 2',
    'Tasks 1',
    'Reviews 0',
    'Prompt',
    'Activity 5',
  ])

  await tabs(page).getByRole('link', { name: 'API keys' }).click()
  await expect(page).toHaveURL(`/tenants/${id}/keys`)
  await expect(tabs(page).getByRole('link', { name: 'API keys' })).toBeFocused()
  await expect(tabs(page).getByRole('link', { name: 'API keys' })).toHaveAttribute('aria-current', 'page')
  await expect(rowsOf(page, 'API Keys')).toHaveCount(2)
  await expect(page.getByRole('columnheader', { name: 'Tenant' })).toHaveCount(0)
  await main(page).getByRole('searchbox').fill('window')
  await expect(rowsOf(page, 'API Keys')).toHaveCount(1)
  await rowsOf(page, 'API Keys')
    .getByRole('link', { name: /^Window/ })
    .click()
  await expect(page.getByRole('dialog', { name: 'Window of Ropewalk Chandlery' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page).toHaveURL(`/tenants/${id}/keys?q=window`)

  await tabs(page).getByRole('link', { name: 'Tasks' }).click()
  await expect(rowsOf(page, 'Tasks')).toHaveCount(1)
  await tabs(page).getByRole('link', { name: 'Activity' }).click()
  await expect(rowsOf(page, 'Activity')).toHaveCount(5)

  await tabs(page).getByRole('link', { name: 'Users' }).click()
  await expect(rowsOf(page, 'Users')).toHaveCount(1)
  await main(page).getByRole('link', { name: 'New User' }).click()
  await expect(page.getByRole('combobox', { name: 'Tenant' })).toHaveValue('Ropewalk Chandlery')
  await page.getByLabel('Email Address').fill('flax@ropewalk.example')
  await page.getByLabel('Password', { exact: true }).fill('seven sisters walk at dusk')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`/tenants/${id}/users`)
  await expect(page.getByText('flax@ropewalk.example was created.')).toBeVisible()
  await expect(rowsOf(page, 'Users')).toHaveCount(2)
  await expect(tabs(page).getByRole('link', { name: 'Users 2' })).toBeVisible()
  await page.reload()
  await expect(rowsOf(page, 'Users')).toHaveCount(2)

  await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link', { name: 'Tenants' }).click()
  await expect(title(page)).toHaveText('Tenants')
  await page.goBack()
  await expect(page).toHaveURL(`/tenants/${id}/users`)
  await expect(title(page)).toHaveText('Ropewalk Chandlery')
})

test('a tenant is edited, suspended with Undo, and deleted from the head of its page', async ({ signedIn: page }) => {
  const id = await makeCustomer(page, 'Tollgate Saddlery', 'girth@tollgate.example')
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`/tenants/${id}/keys`)
  await expect(page.getByRole('list', { name: 'API Keys' }).getByRole('listitem')).toHaveCount(2)
  await expectNoSidewaysScroll(page, 320)
  await page.setViewportSize({ width: 1440, height: 900 })

  await page.getByRole('button', { name: 'Edit Tollgate Saddlery' }).click()
  await page.getByLabel('Tenant Name').fill('Tollgate Tack')
  await page.keyboard.press('Enter')
  await expect(title(page)).toHaveText('Tollgate Tack')
  await expect(page).toHaveTitle(/^Tollgate Tack/)

  await page.getByRole('button', { name: 'Suspend Tollgate Tack' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Suspend Tenant' }).click()
  await expect(state(page)).toHaveText(
    /^Suspended by ada on .+\. 2 keys have refused no call since, and 1 task is skipped\.Reactivate$/,
  )
  await notifications(page).getByRole('button', { name: 'Undo' }).click()
  await expect(state(page)).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Suspend Tollgate Tack' })).toBeVisible()

  await chooseAction(page, 'Delete', 'Tollgate Tack')
  await page.getByRole('dialog').getByRole('textbox').fill('Tollgate Tack')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/tenants')
  await expect(notifications(page)).toContainText('Tollgate Tack was deleted.')
})

test('the next step of a new tenant is the primary button: a user, then a key', async ({ signedIn: page }) => {
  const id = await makeTenant(page, 'Tollgate Stables')
  await page.goto(`/tenants/${id}`)
  await expect(main(page).getByText('No calls in the last 90 days.')).toBeVisible()
  await main(page).getByRole('link', { name: 'Add User' }).click()
  await expect(page.getByRole('combobox', { name: 'Tenant' })).toHaveValue('Tollgate Stables')
  await makeUser(page, id, 'hay@tollgate.example')
  await page.goto(`/tenants/${id}`)
  await expect(state(page)).toContainText('No active admin. No user with the role admin is active.')
  await main(page).getByRole('button', { name: 'Generate Key' }).click()
  await expect(page.getByRole('dialog').getByPlaceholder('API Key for Tollgate Stables')).toBeFocused()
  await page.keyboard.press('Escape')
  await state(page).getByRole('link', { name: 'Show Users' }).click()
  await expect(page).toHaveURL(`/tenants/${id}/users`)
})

test('the banner has the worst problem, with a button that leads to it, and links to the others', async ({
  signedIn: page,
  server,
}) => {
  const id = await makeCustomer(page, 'Tollgate Smithy', 'anvil@tollgate.example')
  const soon = new Date(Date.now() + 3 * 86_400_000).toISOString()
  await makeKey(page, id, { name: 'Bellows', expires_at: soon })
  const allowed_origins = ['https://smithy.example']
  const key = await callApi(page, 'POST', 'api-keys', { tenant_id: id, name: 'Forge', allowed_origins })
  const data = { api_key: secretOf(key), origin: 'https://elsewhere.example' }
  for (let n = 0; n < 3; n += 1) await page.request.post(`${server.aiUrl}/v1/keys/verify`, { data })
  // The AI API writes its counts in batches, which may part the calls.
  const refused = async () =>
    Reflect.get(Object(await callApi(page, 'GET', `analytics/attention?tenant_id=${id}`)), 'keys_refused')
  await expect.poll(refused).toMatchObject({ first: [{ id: idOf(key), refusals: { count: 3 } }] })
  await page.goto(`/tenants/${id}`)
  await expect(state(page)).toHaveText(
    /^The key Forge refused 3 calls in 7 days: origin not allowed\.\s*Also: The key Bellows expires in 3 daysOpen Key$/,
  )
  await expectAccessible(page)
  await expect(main(page).getByText('Refused: origin not allowed (3)')).toBeVisible()
  await main(page).getByRole('button', { name: '90 days' }).click()
  await expect(main(page).getByRole('table', { name: 'Calls of 90 days' }).getByRole('row')).toHaveCount(91)
  await state(page).getByRole('link', { name: 'Open Key' }).click()
  await expect(page).toHaveURL(`/tenants/${id}/keys?key=${idOf(key)}`)
})

test('a tenant that does not exist has a page with ways on', async ({ signedIn: page, problems }) => {
  problems.expected.push(/status of 4(04|22)/)
  for (const address of ['/tenants/6f6f1b0e-0000-4000-8000-000000000000/users', '/tenants/nowhere']) {
    await page.goto(address)
    await expect(main(page).getByText('Tenant not found')).toBeVisible()
  }
  await main(page).getByRole('link', { name: 'All Tenants' }).click()
  await expect(page).toHaveURL('/tenants')
})
