import type { Page } from '@playwright/test'
import { scriptWith } from './console-scripts.ts'
import { callApi, expect, expectAccessible, openDashboard, openSession, saveData, test as base } from './fixtures.ts'
import { type RestartableServer, startRestartable } from './server.ts'
import { chooseAction } from './tenant-keys.ts'

/** Separate servers for this file, which the tests end and start again. */
const test = base.extend<object, { mortal: RestartableServer }>({
  mortal: [
    async ({}, use) => {
      const mortal = await startRestartable()
      await use(mortal)
      await mortal.remove()
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ mortal }, use) => {
    await use(mortal.url)
  },
})
/** The console asks a lost server again after 30 seconds at the latest. */
const BACK = { timeout: 60_000 }
// In order: the tests share the servers.
test.describe.configure({ mode: 'default', timeout: 300_000 })
// The console loads all code ahead, to work without its server.
test.use({ savesData: false })

test.beforeEach(async ({ page, problems }) => {
  // The browser itself logs every failed call.
  problems.expected.push(/Failed to load resource/, /dynamically imported module/, /CallError: The server cannot/)
  await openSession(page)
  await openDashboard(page)
})

const bar = (page: Page) => page.getByRole('status').getByText('Connection lost. Trying again…')
const sidebar = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true })

/** Opens a page and waits until the code of all others has come. */
async function open(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await page.waitForFunction(() => performance.getEntriesByName('all-code-loaded').length > 0)
  await leaveMark(page)
}

/** A mark that a reload would remove. */
async function leaveMark(page: Page): Promise<void> {
  await page.evaluate(() => document.body.setAttribute('data-mark', ''))
}

async function expectNoReload(page: Page): Promise<void> {
  expect(await page.evaluate(() => document.body.hasAttribute('data-mark'))).toBe(true)
}

/** Ticks the row of a tenant, opens the palette, the list of shortcuts and its edit dialog. The dialog stays open. */
async function useEverything(page: Page, name: string): Promise<void> {
  await page.getByRole('checkbox', { name: `Select ${name}` }).check()
  await expect(page.getByRole('region', { name: 'Selection' })).toContainText('1 selected')
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('combobox', { name: /Search/ })).toBeFocused()
  await page.keyboard.press('Escape')
  await page.getByRole('heading', { name: 'Tenants', exact: true }).click()
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keyboard Shortcuts' }).getByRole('button', { name: 'Done' }).click()
  await chooseAction(page, 'Edit', name)
  await expect(page.getByRole('dialog', { name: 'Edit Tenant' })).toBeVisible()
}

test('a tenant is edited over a restart of the server', async ({ page, mortal }) => {
  await callApi(page, 'POST', 'tenants', { name: 'Quay Dental', subdomain: 'quay', tenant_type: 'service' })
  await open(page, '/tenants')
  await expect(page.getByRole('checkbox', { name: 'Select Quay Dental' })).toBeVisible()
  await mortal.end('SIGTERM')

  await useEverything(page, 'Quay Dental')
  const dialog = page.getByRole('dialog', { name: 'Edit Tenant' })
  await dialog.getByLabel('Tenant Name').fill('Quay Dental West')
  await dialog.getByRole('button', { name: 'Save Changes' }).click()
  await expect(dialog.getByRole('alert')).toHaveText('Failed to update tenant (The server cannot be reached.)')
  await expect(bar(page)).toBeVisible()
  await expectAccessible(page)

  await mortal.start()
  await expect(bar(page)).toBeHidden(BACK)
  await expect(dialog.getByLabel('Tenant Name')).toHaveValue('Quay Dental West')
  await dialog.getByRole('button', { name: 'Save Changes' }).click()
  await expect(page.getByRole('link', { name: 'Quay Dental West', exact: true })).toBeVisible()
  await expectNoReload(page)
})

test('a half-typed user outlives a killed server', async ({ page, mortal }) => {
  await callApi(page, 'POST', 'tenants', { name: 'Typed Works', subdomain: 'typed', tenant_type: 'service' })
  await open(page, '/users/create')
  await page.getByLabel('Email Address').fill('mara@typed.example')
  await expect(page.getByRole('combobox', { name: 'Tenant' })).not.toHaveValue('')
  await mortal.end('SIGKILL')

  await page.keyboard.press('Control+k')
  await expect(page.getByRole('combobox', { name: /Search/ })).toBeFocused()
  await page.keyboard.press('Escape')
  await page.getByLabel('Password', { exact: true }).fill('seven green bicycles rest')
  await page.getByRole('button', { name: 'Create User' }).click()
  await expect(page.getByRole('alert')).toHaveText(
    'Failed to create user. Please try again. (The server cannot be reached.)',
  )
  await expect(bar(page)).toBeVisible()

  await mortal.start()
  await expect(bar(page)).toBeHidden(BACK)
  await expect(page.getByLabel('Email Address')).toHaveValue('mara@typed.example')
  await page.getByRole('button', { name: 'Create User' }).click()
  await expect(page).toHaveURL(/\/users$/)
  await expect(page.getByText('mara@typed.example').first()).toBeVisible()
  await expectNoReload(page)
})

test('a prompt is published after a restart of the server', async ({ page, mortal }) => {
  await open(page, '/advanced-settings')
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  const template = page.getByLabel('Template', { exact: true })
  await template.fill('Help people to {{ goal }}, on every street.')
  await mortal.end('SIGTERM')

  await page.getByRole('button', { name: 'Save', exact: true }).click()
  const dialog = page.getByRole('dialog')
  const publish = dialog.getByRole('button', { name: /^Save as Version/ })
  await publish.click()
  await expect(dialog.getByRole('alert')).toContainText('The server cannot be reached.')
  await expect(bar(page)).toBeVisible()

  await mortal.start()
  await expect(bar(page)).toBeHidden(BACK)
  await publish.click()
  await expect(dialog).toBeHidden()
  await expect(template).toHaveValue('Help people to {{ goal }}, on every street.')
  await expectNoReload(page)
})

test('an unvisited screen opens without the server, and loads when the server answers', async ({ page, mortal }) => {
  await callApi(page, 'POST', 'tenants', { name: 'Lantern Books', subdomain: 'lantern', tenant_type: 'product' })
  await open(page, '/')
  await mortal.end('SIGTERM')
  await sidebar(page, 'Tenants').click()
  await expect(page.getByRole('heading', { name: 'Tenants', exact: true })).toBeVisible()
  await expect(bar(page)).toBeVisible()
  await mortal.start()
  await expect(page.getByRole('link', { name: 'Lantern Books', exact: true })).toBeVisible(BACK)
  await expect(bar(page)).toBeHidden()
  await expectNoReload(page)
})

test('everything opens while the browser is offline', async ({ page, context }) => {
  await callApi(page, 'POST', 'tenants', { name: 'Offline Bakery', subdomain: 'offline', tenant_type: 'product' })
  await open(page, '/tenants')
  await expect(page.getByRole('checkbox', { name: 'Select Offline Bakery' })).toBeVisible()
  await context.setOffline(true)
  await expect(bar(page)).toBeVisible()
  await useEverything(page, 'Offline Bakery')
  await page.keyboard.press('Escape')
  await sidebar(page, 'Tasks').click()
  await expect(page.getByRole('heading', { name: 'Tasks', exact: true })).toBeVisible()
  await context.setOffline(false)
  await expect(bar(page)).toBeHidden(BACK)
  await expect(page.getByText('No task found')).toBeVisible()
  await expectNoReload(page)
})

test('without its code the page shows the reason, and opens on a second try', async ({ page, context, mortal }) => {
  await saveData(context)
  await callApi(page, 'POST', 'tenants', { name: 'Thrifty Toys', subdomain: 'thrifty', tenant_type: 'product' })
  await page.goto('/tenants')
  await expect(page.getByRole('link', { name: 'Thrifty Toys', exact: true })).toBeVisible()
  await leaveMark(page)
  await mortal.end('SIGTERM')

  await page.keyboard.press('?')
  const notice = page.getByRole('region', { name: 'Notifications' })
  await expect(notice).toContainText('The server cannot be reached.')
  await notice.getByRole('button', { name: 'Try Again' }).click()
  await expect(notice).toContainText('The server cannot be reached.')
  await expectAccessible(page)

  await mortal.start()
  await expect(bar(page)).toBeHidden(BACK)
  await notice.getByRole('button', { name: 'Try Again' }).click()
  await expect(page.getByRole('dialog', { name: 'Keyboard Shortcuts' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(notice.getByRole('button', { name: 'Try Again' })).toBeHidden()

  await mortal.end('SIGTERM')
  await sidebar(page, 'Settings').click()
  await expect(page.getByRole('heading', { name: 'The server cannot be reached' })).toBeVisible()
  await page.getByRole('button', { name: 'Try Again' }).click()
  await expect(page.getByRole('heading', { name: 'The server cannot be reached' })).toBeVisible()
  await expectAccessible(page)
  await mortal.start()
  await expect(page.getByRole('heading', { name: 'Admin Settings' })).toBeVisible(BACK)
  await expectNoReload(page)
})

test('a file missing on the server reloads the page once', async ({ page, context }) => {
  await saveData(context)
  await page.route(scriptWith('Show shortcuts'), (route) => route.fulfill({ status: 404 }))
  await page.goto('/tenants')
  await expect(page.getByText('No tenants found').or(page.getByRole('table'))).toBeVisible()
  const reloaded = page.waitForEvent('load')
  await page.keyboard.press('?')
  await reloaded
  await expect(page.getByRole('heading', { name: 'Tenants', exact: true })).toBeVisible()
  await leaveMark(page)
  await page.keyboard.press('?')
  await expect(page.getByRole('region', { name: 'Notifications' })).toContainText('could not be shown')
  await expectNoReload(page)
})
