import type { Page } from '@playwright/test'
import { callApi, expect, expectNoSidewaysScroll, test } from './fixtures.ts'
import { rowOf, rowsOf } from './tables.ts'
import { makeKey, makeTenant } from './tenant-keys.ts'

const tabs = (page: Page) => page.getByRole('navigation', { name: 'Tenant' })
const main = (page: Page) => page.getByRole('main')
const title = (page: Page) => page.getByRole('heading', { level: 1 })
const notifications = (page: Page) => page.getByRole('region', { name: 'Notifications' })

/** A tenant with a user, two keys and a task. */
async function makeCustomer(page: Page, name: string, email: string): Promise<string> {
  const tenant_id = await makeTenant(page, name)
  const user = { email, password: 'seven sisters walk at dusk', role: 'admin', tenant_id }
  await callApi(page, 'POST', 'tenant-admins', user)
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
  await expect(main(page).getByText('2 keys working, no accepted call yet')).toBeVisible()
  await expect(main(page).getByText('Nothing needs attention')).toBeVisible()
  await expect(tabs(page).getByRole('link')).toHaveText([
    'Overview',
    'Users 1',
    'API keys 2',
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
  await page.getByRole('dialog').getByRole('button', { name: 'Suspend tenant' }).click()
  await expect(main(page).getByText(/^Suspended since .+: 0 calls refused$/)).toBeVisible()
  await notifications(page).getByRole('button', { name: 'Undo' }).click()
  await expect(main(page).getByText('2 keys working, no accepted call yet')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Suspend Tollgate Tack' })).toBeVisible()

  await page.getByRole('button', { name: 'Delete Tollgate Tack' }).click()
  await page.getByRole('dialog').getByRole('textbox').fill('Tollgate Tack')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/tenants')
  await expect(notifications(page)).toContainText('Tollgate Tack was deleted.')
})

test('a tenant without an active admin leads to its own users', async ({ signedIn: page }) => {
  const id = await makeTenant(page, 'Tollgate Stables')
  await page.goto(`/tenants/${id}`)
  await main(page).getByRole('link', { name: 'No active admin' }).click()
  await expect(page).toHaveURL(`/tenants/${id}/users`)
  await page.goBack()
  await main(page).getByRole('listitem').getByRole('link', { name: 'New User' }).click()
  await expect(page.getByRole('combobox', { name: 'Tenant' })).toHaveValue('Tollgate Stables')
})

test('a tenant that does not exist has a page with ways on', async ({ signedIn: page, problems }) => {
  problems.expected.push(/status of 4(04|22)/)
  for (const address of ['/tenants/6f6f1b0e-0000-4000-8000-000000000000/users', '/tenants/nowhere']) {
    await page.goto(address)
    await expect(main(page).getByText('Tenant not found')).toBeVisible()
  }
  await main(page).getByRole('link', { name: 'All tenants' }).click()
  await expect(page).toHaveURL('/tenants')
})
