import type { Page } from '@playwright/test'
import { callApi, expect, expectAccessible, expectNoSidewaysScroll, signIn, test } from './fixtures.ts'
import { rowOf } from './tables.ts'
import { makeTask, samplePlaceId } from './task-records.ts'
import { makeKey, makeTenant, makeUser } from './tenant-keys.ts'

const box = (page: Page) => page.getByRole('combobox', { name: 'Search records, screens and actions' })
const option = (page: Page, name: string | RegExp) => page.getByRole('option', { name })
const current = (page: Page) => page.locator('[role="option"][aria-selected="true"]')

async function search(page: Page, text: string): Promise<void> {
  await page.keyboard.press('Control+k')
  await expect(box(page)).toBeFocused()
  await box(page).fill(text)
}

/** Opens the actions of the best result of a search. */
async function actionsOf(page: Page, text: string, record: RegExp): Promise<void> {
  await search(page, text)
  await expect(current(page)).toHaveAccessibleName(record)
  await page.keyboard.press('Tab')
  await expect(page.getByRole('combobox', { name: /^Actions for / })).toBeFocused()
}

async function run(page: Page, action: string): Promise<void> {
  await page.keyboard.type(action)
  await expect(current(page)).toHaveAccessibleName(new RegExp(`^${action}`))
  await page.keyboard.press('Enter')
}

test('Ctrl-K finds tasks and places, and records by the beginning of an id', async ({ onDashboard: page }) => {
  const placeId = samplePlaceId('Willow Bindery')
  const task = await makeTask(page, 'Willow Bindery', { placeId })
  await search(page, placeId)
  await expect(option(page, /for|Willow Bindery/)).not.toHaveCount(0)
  await expect(page.getByRole('group', { name: 'Tasks' }).getByRole('option')).toHaveCount(1)
  await page.getByRole('group', { name: 'Places' }).getByRole('option').click()
  await expect(page).toHaveURL(`/tasks?q=${placeId}`)
  await expect(rowOf(page, 'Tasks', 'Willow Bindery')).toBeVisible()

  await search(page, task.slice(0, 8))
  await page
    .getByRole('group', { name: 'Tasks' })
    .getByRole('option', { name: /Willow Bindery/ })
    .click()
  await expect(page).toHaveURL(`/tasks/${task}`)
})

test('a kind with more matches than five shows their number and leads to the filtered list', async ({
  onDashboard: page,
}) => {
  for (let n = 1; n <= 6; n += 1) await makeTenant(page, `Quillwort ${n}`)
  await search(page, 'quillwort')
  const group = page.getByRole('group', { name: 'Tenants' })
  await expect(group.getByRole('option')).toHaveCount(6)
  await expect(page.getByRole('status').getByText('Tenants 6')).toBeAttached()
  await page.keyboard.press('End')
  await option(page, 'Show All in Tenants').click()
  await expect(page).toHaveURL('/tenants?q=quillwort')
})

test('the actions of a record open by → and Tab, and close by Escape, ← and Backspace', async ({
  onDashboard: page,
}) => {
  await makeTenant(page, 'Teasel Mill')
  await search(page, 'teasel mill')
  await expect(option(page, /^Teasel Mill/)).toHaveAttribute('aria-selected', 'true')
  // Inside the text, the arrow moves the cursor.
  await page.keyboard.press('Home')
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('ArrowRight')
  await expect(box(page)).toBeFocused()
  await box(page).evaluate((input: HTMLInputElement) => input.setSelectionRange(99, 99))

  const actions = page.getByRole('combobox', { name: 'Actions for Teasel Mill' })
  for (const [open, close] of [
    ['ArrowRight', 'Escape'],
    ['Tab', 'ArrowLeft'],
    ['ArrowRight', 'Backspace'],
    ['Tab', 'Shift+Tab'],
  ] as const) {
    await page.keyboard.press(open)
    await expect(actions).toBeFocused()
    await expect(page.getByRole('option')).toHaveText([
      'Open',
      'Edit…',
      'Generate Key…',
      'Suspend…',
      'History',
      'Copy ID',
    ])
    await page.keyboard.press(close)
    await expect(box(page)).toHaveValue('teasel mill')
    await expect(option(page, /^Teasel Mill/)).toHaveAttribute('aria-selected', 'true')
  }

  await page.keyboard.press('Tab')
  await expect(page.getByRole('status').getByText('6 actions for Teasel Mill')).toBeAttached()
  await expectAccessible(page)
  await page.keyboard.type('no such action')
  await expect(page.getByRole('status').getByText('No such action.')).toBeVisible()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await expect(box(page)).toHaveCount(0)
})

test('an action opens the dialog of its screen, once', async ({ onDashboard: page }) => {
  const tenant = await makeTenant(page, 'Sedge Atelier')
  await actionsOf(page, 'sedge atelier', /^Sedge Atelier/)
  await run(page, 'Edit')
  const dialog = page.getByRole('dialog', { name: 'Edit Tenant' })
  await expect(dialog.getByLabel('Tenant Name')).toHaveValue('Sedge Atelier')
  await expect(page).toHaveURL(`/tenants/${tenant}`)
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await page.reload()
  await expect(page.getByRole('heading', { level: 1, name: 'Sedge Atelier' })).toBeVisible()
  await expect(dialog).toHaveCount(0)

  await actionsOf(page, 'sedge atelier', /^Sedge Atelier/)
  await run(page, 'Generate Key')
  await expect(page.getByRole('dialog', { name: 'Generate API Key' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)

  const key = await makeKey(page, tenant, { name: 'Loom counter' })
  await actionsOf(page, key, /^Loom counter/)
  await run(page, 'Rotate')
  await expect(page.getByRole('dialog', { name: 'Rotate API Key' }).getByText('Loom counter')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)

  await actionsOf(page, 'sedge atelier', /Sedge Atelier/)
  await run(page, 'History')
  await expect(page).toHaveURL(`/settings/activity?tenant_id=${tenant}`)
})

test('an action changes a user or a task as the button of its screen does', async ({ onDashboard: page }) => {
  const tenant = await makeTenant(page, 'Rushlight Press')
  await makeUser(page, tenant, 'nell@rushlight.example')
  await actionsOf(page, 'nell@rushlight', /^nell@rushlight/)
  await run(page, 'Deactivate')
  await expect(page.getByText(/nell@rushlight\.example was deactivated/).first()).toBeVisible()
  await search(page, 'nell@rushlight')
  await expect(option(page, /^nell@rushlight\.example ?Inactive/)).toBeVisible()
  await page.keyboard.press('Escape')

  const notifications = page.getByRole('region', { name: 'Notifications' })
  await actionsOf(page, 'rushlight press', /^Rushlight Press/)
  await run(page, 'Suspend')
  const suspension = page.getByRole('dialog', { name: 'Suspend Tenant' })
  await expect(suspension).toContainText('Suspend Rushlight Press?The tenant has no working key')
  await expect(suspension.getByLabel('Reason')).toBeFocused()
  await suspension.getByRole('button', { name: 'Suspend Tenant' }).click()
  await expect(notifications).toContainText('Rushlight Press was suspended.')
  await expect(page.getByRole('main').getByText('Inactive', { exact: true }).first()).toBeVisible()
  await actionsOf(page, 'rushlight press', /^Rushlight Press ?Inactive/)
  await run(page, 'Reactivate')
  await expect(notifications).toContainText('Rushlight Press was reactivated.')
  await page.keyboard.press('z')
  await expect(notifications).toContainText('Rushlight Press is inactive again.')

  const task = await makeTask(page, 'Marram Cafe')
  await actionsOf(page, task, /Marram Cafe/)
  await run(page, 'Pause')
  await expect(page).toHaveURL(`/tasks/${task}`)
  await expect(page.getByRole('button', { name: /^Resume/ })).toBeVisible()
  await actionsOf(page, task, /Paused.*Marram Cafe/)
  await run(page, 'Run Now')
  await expect(page.getByText('executed successfully')).toBeVisible({ timeout: 20_000 })
})

test('an empty palette shows what this admin opened and used last, until the sign-out', async ({
  onDashboard: page,
}) => {
  const tenant = await makeTenant(page, 'Bracken Optics')
  const key = await makeKey(page, tenant, { name: 'Lens finder' })
  // Opened without the palette.
  await page.goto(`/tenants/${await makeTenant(page, 'Bracken Baskets')}`)
  await expect(page.getByRole('heading', { name: 'Bracken Baskets' })).toBeVisible()
  await search(page, 'bracken optics')
  await option(page, /^Bracken Optics/).click()
  await search(page, key)
  await option(page, /^Lens finder/).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await search(page, 'base templates')
  await option(page, 'Base Templates').click()
  await expect(page).toHaveURL('/advanced-settings')

  await page.reload()
  await expect(page.getByLabel('Template', { exact: true })).toBeVisible()
  await page.keyboard.press('Control+k')
  const recent = page.getByRole('group', { name: 'Recent' }).getByRole('option')
  await expect(recent).toHaveText([/^Prompt/, /^Lens finder/, /^Bracken Optics/, /^Bracken Baskets/])
  await expect(
    page.getByRole('group', { name: 'Screens' }).getByRole('option', { name: 'Base Templates' }),
  ).toHaveCount(0)
  await expectAccessible(page)
  expect(await page.evaluate(() => localStorage.getItem('palette_recent'))).not.toContain('Bracken')
  await page.keyboard.press('Escape')

  await callApi(page, 'DELETE', `api-keys/${key}`)
  await page.keyboard.press('Control+k')
  await expect(recent).toHaveText([/^Prompt/, /^Bracken Optics/, /^Bracken Baskets/])
  await page.keyboard.press('Escape')

  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(page).toHaveURL('/login')
  await signIn(page)
  await page.keyboard.press('Control+k')
  await expect(option(page, 'Dashboard')).toBeVisible()
  await expect(recent).toHaveCount(0)
})

test('a failed search can be repeated, and a late answer does not replace a newer one', async ({
  onDashboard: page,
  problems,
}) => {
  problems.expected.push(/Failed to load resource/)
  await makeTenant(page, 'Yarrow Dairy')
  await page.route('**/api/v1/admin/search', (route) => route.fulfill({ status: 400, json: { detail: 'Too busy.' } }))
  await search(page, 'yarrow dairy')
  await expect(page.getByText('Too busy.')).toBeVisible()
  await page.unroute('**/api/v1/admin/search')
  await page.getByRole('button', { name: 'Try Again' }).click()
  await expect(option(page, /^Yarrow Dairy/)).toBeVisible()

  await page.route('**/api/v1/admin/search', async (route) => {
    if (route.request().postData()?.includes('slow') === true) await new Promise((done) => setTimeout(done, 900))
    await route.continue()
  })
  await box(page).fill('slow yarrow')
  await page.waitForTimeout(250)
  await box(page).fill('yarrow dairy')
  await expect(option(page, /^Yarrow Dairy/)).toBeVisible()
  await page.waitForTimeout(1_000)
  await expect(option(page, /^Yarrow Dairy/)).toBeVisible()
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })
  test('a record has a button for its actions, and no key is shown', async ({ onDashboard: page }) => {
    await makeTenant(page, 'Tansy Yard')
    await page.getByRole('navigation', { name: 'Menu' }).getByRole('button', { name: 'Search' }).tap()
    await box(page).fill('tansy yard')
    await expect(option(page, /^Tansy Yard/)).toBeVisible()
    await expect(page.locator('kbd').filter({ visible: true })).toHaveCount(0)
    await page.locator('[role="presentation"]').filter({ hasText: 'Tansy Yard' }).locator('button').first().tap()
    await expect(page.getByRole('option')).toHaveCount(6)
    await expectNoSidewaysScroll(page)
    await page.getByRole('button', { name: 'Back to the results' }).tap()
    await expect(box(page)).toHaveValue('tansy yard')
  })
})
