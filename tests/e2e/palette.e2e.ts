import type { Page } from '@playwright/test'
import { scriptWith } from './console-scripts.ts'
import { callApi, expect, expectAccessible, test } from './fixtures.ts'
import { holdAnswers } from './held-answers.ts'
import { pressSequence } from './person.ts'
import { chooseAction, idOf, makeTenant, makeUser, secretOf } from './tenant-keys.ts'

const box = (page: Page) => page.getByRole('combobox', { name: 'Search records, screens and actions' })
const option = (page: Page, name: string | RegExp) => page.getByRole('option', { name })

test('Ctrl-K finds screens, tenants and users by the typed text', async ({ onDashboard: page }) => {
  const tenant_id = await makeTenant(page, 'Foxglove Pottery')
  await makeUser(page, tenant_id, 'potter@foxglove.example', { role: 'manager' })

  await page.keyboard.press('Control+k')
  await expect(box(page)).toBeFocused()
  await expectAccessible(page)
  await page.keyboard.type('base temp')
  await expect(option(page, 'Base Templates')).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/advanced-settings')

  await page.keyboard.press('Control+k')
  await expect(box(page)).toBeFocused()
  await page.keyboard.type('foxglove')
  await expect(option(page, /Foxglove Pottery foxglove-pottery/)).toBeVisible()
  await expect(option(page, /potter@foxglove.example Manager · Foxglove Pottery/)).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/users?q=potter%40foxglove.example')
  await expect(page.getByRole('row', { name: /potter@foxglove.example/ })).toBeVisible()
})

test('a resting pointer chooses nothing, a moving pointer does', async ({ onDashboard: page }) => {
  // At the first event of a pointer without an earlier position, movementX is 0: the pointer has not moved.
  await page.mouse.move(720, 300)
  await page.keyboard.press('Control+k')
  await option(page, 'Tenants').hover()
  await expect(option(page, 'Tenants')).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+k')
  // Some browsers send this event when an element appears below the pointer.
  await option(page, 'Tenants').dispatchEvent('mousemove', { movementX: 0, movementY: 0 })
  await expect(option(page, 'Dashboard')).toHaveAttribute('aria-selected', 'true')
  await option(page, 'Settings').hover()
  await expect(option(page, 'Settings')).toHaveAttribute('aria-selected', 'true')
})

test('a key is found by its name, its id, its mask and its secret, and opened', async ({ onDashboard: page }) => {
  const tenant_id = await makeTenant(page, 'Kiln Works')
  const key = await callApi(page, 'POST', 'api-keys', { tenant_id, name: 'Oven monitor' })
  await callApi(page, 'POST', 'api-keys', { tenant_id, name: 'Shop window' })
  const secret = secretOf(key)
  const start = secret.slice(0, 12)
  const masks = [start, `${start}…${secret.slice(-4)}`, `sb_live_••••${idOf(key).slice(-4)}`]
  for (const pasted of ['oven', idOf(key), ...masks, secret]) {
    await page.keyboard.press('Control+k')
    await box(page).fill(pasted)
    await option(page, /Oven monitor .*Kiln Works/).click()
    await expect(page).toHaveURL(`/keys?key=${idOf(key)}`)
    await expect(page.getByRole('dialog')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await pressSequence(page, 'g', 't')
    await expect(page).toHaveURL('/tenants')
  }
})

test('text typed before the palette has loaded is not lost, and a quick Enter waits for the answer', async ({
  onDashboard: page,
}) => {
  const early = await makeTenant(page, 'Early Heron')
  const late = await makeTenant(page, 'Late Heron')
  await page.route(scriptWith('Back to the results'), async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 700))
    await route.continue()
  })
  await page.keyboard.press('Control+k')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('textbox', { name: 'Search' })).toHaveCount(0)
  await page.keyboard.press('Control+k')
  await page.keyboard.type('early heron')
  expect(await page.evaluate(() => scrollY)).toBe(0)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`/tenants/${early}`)

  await page.keyboard.press('Control+k')
  await expect(box(page)).toBeFocused()
  await page.route('**/api/v1/admin/search', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 700))
    await route.continue()
  })
  await box(page).fill('late heron')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`/tenants/${late}`)
})

test('a palette that opens while the previous one closes keeps the focus', async ({ onDashboard: page }) => {
  const release = await holdAnswers(page, scriptWith('Back to the results'))
  await page.keyboard.press('Control+k')
  const early = page.getByRole('textbox', { name: 'Search' })
  await expect(early).toBeFocused()
  // Both keys before any timer of the page, as on a busy machine.
  await early.evaluate(async (input) => {
    input.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }))
    while (input.isConnected) await Promise.resolve()
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'k', code: 'KeyK', ctrlKey: true, bubbles: true }))
  })
  release()
  await page.keyboard.type('base temp')
  await expect(box(page)).toHaveValue('base temp')
})

test('typing on after Ctrl-K loses no letter, and the page does not scroll', async ({ onDashboard: page }) => {
  await page.setViewportSize({ width: 1_000, height: 400 })
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 6 })
  await page.reload()
  await expect(page.getByText('Total Users')).toBeVisible()
  // The first time the code loads while the user types, the second time the code is cached.
  for (const typed of ['a b c d e f g h', 'i j k l m n o p']) {
    await page.keyboard.press('Control+k')
    await page.keyboard.type(typed)
    await expect(box(page)).toHaveValue(typed)
    expect(await page.evaluate(() => scrollY)).toBe(0)
    await page.keyboard.press('Escape')
    await expect(box(page)).toHaveCount(0)
  }

  // Also while a submitted form redirects to its list.
  await page.goto('/tenants/create')
  await page.getByLabel('Tenant Name').fill('Hasty Heron')
  await page.getByLabel('Subdomain').fill('hasty-heron')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Control+k')
  await page.keyboard.type('q r s t u v w x y z', { delay: 15 })
  await expect(page).toHaveURL('/tenants')
  await expect(box(page)).toHaveValue('q r s t u v w x y z')
})

test('the palette runs actions, reports an empty result, and restores the focus', async ({ onDashboard: page }) => {
  const search = page.getByRole('button', { name: 'Search' })
  await search.click()
  await expect(box(page)).toBeFocused()
  await page.keyboard.type('dark')
  await page.keyboard.press('Enter')
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark')
  await expect(search).toBeFocused()

  // Also when the dialog is canceled while its code loads.
  const release = await holdAnswers(page, scriptWith('Show shortcuts'))
  await search.click()
  await expect(box(page)).toBeFocused()
  await page.keyboard.type('shortcuts')
  await page.keyboard.press('Enter')
  await expect(box(page)).toBeHidden()
  await page.keyboard.press('Escape')
  await expect(search).toBeFocused()

  await page.keyboard.press('Control+k')
  await expect(box(page)).toBeFocused()
  release()
  await page.keyboard.type('no such thing 42')
  await expect(page.getByRole('status').getByText('No results for “no such thing 42”.')).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(box(page)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(box(page)).toHaveCount(0)
})

test('a failed search shows its reason, and screens still open', async ({ onDashboard: page, problems }) => {
  problems.expected.push(/Failed to load resource/)
  await page.route('**/api/v1/admin/search', (route) => route.fulfill({ status: 422, json: { detail: 'Too busy.' } }))
  await page.keyboard.press('Control+k')
  await expect(box(page)).toBeFocused()
  await page.keyboard.type('tenants')
  await expect(page.getByText('Too busy.')).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/tenants')
})

test('single keys lead to screens and to the search of a list, and can be switched off', async ({
  onDashboard: page,
}) => {
  await pressSequence(page, 'g', 't')
  await expect(page).toHaveURL('/tenants')
  await expect(page.getByRole('heading', { name: 'Tenants', exact: true })).toBeVisible()
  await page.keyboard.press('/')
  await expect(page.getByRole('searchbox')).toBeFocused()
  // In a field, these keys are text.
  await page.keyboard.type('g u?')
  await expect(page.getByRole('searchbox')).toHaveValue('g u?')
  await expect(page.getByRole('dialog')).toHaveCount(0)

  await page.getByRole('heading', { name: 'Tenants', exact: true }).click()
  await page.getByRole('searchbox').blur()
  await page.keyboard.press('?')
  const dialog = page.getByRole('dialog', { name: 'Keyboard Shortcuts' })
  await expect(dialog.getByText('API Keys')).toBeVisible()
  await expectAccessible(page)
  await dialog.getByRole('checkbox').uncheck()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await page.keyboard.press('?')
  await page.keyboard.press('g')
  await page.keyboard.press('u')
  await expect(page).toHaveURL(/\/tenants/)
  await expect(dialog).toHaveCount(0)
  await page.keyboard.press('Control+k')
  await expect(box(page)).toBeVisible()
})

test('the palette does not open over a dialog', async ({ onDashboard: page }) => {
  await makeTenant(page, 'Covered Bridge')
  await page.goto('/tenants?q=covered-bridge')
  await chooseAction(page, 'Delete', 'Covered Bridge')
  await expect(page.getByRole('dialog', { name: 'Delete Tenant' })).toBeVisible()
  await page.keyboard.press('Control+k')
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog')).toHaveCount(1)
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 360, height: 740 } })
  test('the bar contains the search', async ({ onDashboard: page }) => {
    await page.getByRole('navigation', { name: 'Menu' }).getByRole('button', { name: 'Search' }).click()
    await box(page).fill('users')
    await option(page, 'Users').click()
    await expect(page).toHaveURL('/users')
  })
})
