import type { Locator } from '@playwright/test'
import { scriptWith } from './console-scripts.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, test } from './fixtures.ts'
import { pressSequence } from './person.ts'
import { makeTenant } from './tenant-keys.ts'
import { filterButton, setFilter } from './tables.ts'

test('the sidebar names the brand, the place and the admin, and pages have titles', async ({ onDashboard: page }) => {
  await expect(page).toHaveTitle('Admin Dashboard · Switchboard')
  const sidebar = page.getByRole('complementary')
  await expect(sidebar.getByText('Switchboard', { exact: true })).toBeVisible()
  await expect(sidebar.getByRole('link', { name: 'Dashboard' })).toHaveAttribute('aria-current', 'page')
  await expect(sidebar.getByText('ada@switchboard.example')).toBeVisible()
  await expect(sidebar.getByRole('button', { name: 'Sign out' })).toBeVisible()
})

// The second script is the bundler's runtime, which the first one imports.
const MISSING_SCRIPTS = [
  ['first', 0, 'The console could not be loaded. Reload the page.'],
  ['third', 2, 'This page could not be shown. Nothing that was saved is lost.'],
] as const

for (const [order, index, text] of MISSING_SCRIPTS)
  test(`a page without its ${order} script says so`, async ({ signedIn: page, problems }) => {
    problems.expected.push(/status of 404|dynamically imported module/)
    const scripts = new Set<string>()
    await page.route('**/assets/*.js', (route) => {
      scripts.add(route.request().url())
      return [...scripts][index] === route.request().url() ? route.fulfill({ status: 404 }) : route.continue()
    })
    await page.goto('/tenants')
    await expect(page.getByText(text)).toBeVisible()
    await page.unrouteAll()
    await page.reload()
    await expect(page.getByRole('heading', { name: 'Tenants', exact: true })).toBeVisible()
  })

test('the first Tab stop skips to the content', async ({ onDashboard: page }) => {
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Admin Dashboard' })).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('main')).toBeFocused()
})

test('the sidebar has the six screens and, below "Console", the pages of the console', async ({ signedIn: page }) => {
  await page.goto('/tenants')
  const links = (place: Locator) => place.getByRole('link').allInnerTexts()
  const main = page.getByRole('navigation', { name: 'Main' })
  const current = main.locator('[aria-current="page"]')
  await expect(current).toHaveText('Tenants')
  const ofConsole = ['Activity', 'Signals', 'Team', 'Prompt', 'System']
  expect(await links(main)).toEqual(['Dashboard', 'Tenants', 'Users', 'API Keys', 'Tasks', 'Settings', ...ofConsole])
  expect(await links(page.getByRole('list', { name: 'Console' }))).toEqual(ofConsole)
  for (const [key, path, entry] of [
    ['a', '/settings/activity', 'Activity'],
    ['w', '/settings/webhooks', 'Signals'],
    ['m', '/settings/team', 'Team'],
    ['p', '/advanced-settings', 'Prompt'],
    ['y', '/settings/system', 'System'],
    [',', '/settings', 'Settings'],
  ] as const) {
    await pressSequence(page, 'g', key)
    await expect(page).toHaveURL(path)
    await expect(current).toHaveText(entry)
  }
})

test('each subject of the settings has its own page, on a phone too', async ({ signedIn: page }) => {
  await page.goto('/settings')
  const settings = page.getByRole('navigation', { name: 'Settings' })
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 844 })
    for (const [name, path] of [
      ['Security', '/settings/security'],
      ['Sessions', '/settings/sessions'],
      ['Tokens', '/settings/tokens'],
      ['Profile', '/settings'],
    ] as const) {
      await settings.getByRole('link', { name }).click()
      await expect(page).toHaveURL(path)
      await expect(settings.locator('[aria-current="page"]')).toHaveText(name)
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Admin Settings')
    }
    await expectNoSidewaysScroll(page, 320)
  }
})

test('the theme follows the system until a choice, and the choice persists', async ({ signedIn: page }) => {
  await page.goto('/settings')
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
  await page.emulateMedia({ colorScheme: 'light' })
  const light = await background()
  await page.emulateMedia({ colorScheme: 'dark' })
  // The browser reports the change after a moment on a busy machine.
  await expect.poll(background).not.toBe(light)

  await expect(page.getByText(/^Times are in /)).toBeVisible()
  await page.getByRole('group', { name: 'Theme' }).getByRole('button', { name: 'Light' }).click()
  await expect.poll(background).toBe(light)
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Admin Settings' })).toBeVisible()
  expect(await background()).toBe(light)
})

test('local storage holds the token, the theme and the id of the admin, and nothing else', async ({
  onDashboard: page,
}) => {
  const keys = await page.evaluate(() => Object.keys(localStorage))
  expect(keys.filter((key) => !['admin_token', 'color_scheme', 'last_admin'].includes(key))).toEqual([])
})

test('a filter changes neither the page nor the focus until its result arrives', async ({ onDashboard: page }) => {
  await makeTenant(page, 'Unmoved Works')
  await page.goto('/tenants?q=unmoved')
  await expect(page.getByRole('row', { name: /Unmoved Works/ })).toBeVisible()
  const shownInstead = await page.evaluateHandle(() => {
    const pages: string[] = []
    new MutationObserver((changes) => {
      const added = changes.flatMap((change) => [...change.addedNodes])
      for (const node of added) if (node instanceof HTMLElement && node.matches('main')) pages.push(node.innerText)
    }).observe(document.body, { subtree: true, childList: true })
    return pages
  })
  for (const [chosen, address] of [
    ['Active', /status=active/],
    ['Inactive', /status=inactive/],
    ['Any', /q=unmoved$/],
  ] as const) {
    await setFilter(page, 'Status', chosen)
    await expect(page).toHaveURL(address)
    await expect(filterButton(page)).toBeFocused()
  }
  await expect(page.getByRole('row', { name: /Unmoved Works/ })).toBeVisible()
  expect(await shownInstead.jsonValue()).toEqual([])

  // On a slow network the previous rows turn gray.
  const colorOfName = () =>
    page.getByRole('link', { name: 'Unmoved Works' }).evaluate((link) => getComputedStyle(link).color)
  const color = await colorOfName()
  const answer = Promise.withResolvers<void>()
  await page.route('**/api/v1/admin/tenants?*', async (route) => {
    await answer.promise
    await route.continue()
  })
  await setFilter(page, 'Type', 'Product Company')
  await expect.poll(colorOfName).not.toBe(color)
  await expect(page.getByRole('table', { name: 'Tenants' })).toHaveAttribute('aria-busy', 'true')
  answer.resolve()
  await expect.poll(colorOfName).toBe(color)
})

test('an unknown address has a page with a way back', async ({ onDashboard: page }) => {
  for (const address of ['/%zz', '/tenants/x/y', '/<script>alert(1)</script>', '/nowhere']) {
    await page.goto(address)
    await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible()
  }
  await expect(page.getByRole('complementary').getByRole('link', { name: 'Tenants' })).toBeVisible()
  await page.getByRole('main').getByRole('link').first().click()
  await expect(page).toHaveURL('/')
})

test('a file removed by a deploy causes one reload', async ({ onDashboard: page, problems }) => {
  problems.expected.push(
    /Failed to load resource|Failed to fetch dynamically imported module|error loading dynamically/,
  )
  let loads = 0
  page.on('load', () => (loads += 1))
  const script = scriptWith('Failed to create tenant')
  await page.route(script, (route) => route.fulfill({ status: 404, body: '' }))
  await page.goto('/tenants')
  loads = 0
  await page.getByRole('link', { name: 'New Tenant' }).first().click()
  // The file is still missing after the reload: the page shows an error, not a loop and not a blank screen.
  await expect(page.getByRole('button', { name: /^(Try Again|Reload)$/ })).toBeVisible()
  // The error may show before the load event of the new page.
  await expect.poll(() => loads).toBe(1)
  await page.unroute(script)
  await page.getByRole('button', { name: /^(Try Again|Reload)$/ }).click()
  await expect(page.getByLabel('Tenant Name')).toBeVisible()
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 360, height: 780 } })

  test('the menu slides out, keeps the focus inside, and closes by Escape and by going somewhere', async ({
    onDashboard: page,
  }) => {
    await page.getByRole('button', { name: 'Open menu' }).click()
    const menu = page.getByRole('dialog')
    await expect(menu.getByRole('link', { name: 'Tenants' })).toBeVisible()
    for (let n = 0; n < 12; n += 1) {
      await page.keyboard.press('Tab')
      expect(await menu.evaluate((element) => element.contains(document.activeElement))).toBe(true)
    }
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await expect(menu).toHaveCount(0)
    await expect(page.getByRole('button', { name: 'Open menu' })).toBeFocused()
    await page.getByRole('button', { name: 'Open menu' }).click()
    await menu.getByRole('link', { name: 'Tenants' }).click()
    await expect(menu).toHaveCount(0)
  })

  test('the sign-in does not scroll sideways', async ({ page }) => {
    await page.goto('/login')
    await expect(page.getByRole('button', { name: 'Sign In', exact: true })).toBeVisible()
    await expectAccessible(page)
    await expectNoSidewaysScroll(page, 320)
  })
})
