import type { Page } from '@playwright/test'
import { expect, expectAccessible, expectNoSidewaysScroll, openSession, testAlone } from './fixtures.ts'
import { makeMember } from './members.ts'
import { filterChip, rowsOf, setFilter } from './tables.ts'
import { makeKey, makeTenant } from './tenant-keys.ts'

// Other stories would see the shared view.
const test = testAlone()

const views = (page: Page) => page.getByRole('navigation', { name: 'Views' })
const view = (page: Page, name: string | RegExp) => views(page).getByRole('link', { name })
const save = (page: Page) => views(page).getByRole('button', { name: 'Save View' })
const dialog = (page: Page) => page.getByRole('dialog')

async function chooseViewAction(page: Page, name: string, action: string): Promise<void> {
  await page.getByRole('button', { name: `More actions for the view ${name}` }).click()
  await page.getByRole('menuitem', { name: action }).click()
}

test('the filters and the order of a list are saved as a view, opened, replaced, renamed and deleted', async ({
  signedIn: page,
}) => {
  for (const name of ['Vantage One', 'Vantage Two']) await makeTenant(page, name)
  await page.goto('/tenants?q=vantage&sort=name')
  await setFilter(page, 'Status', 'Active')
  await save(page).click()
  await expect(dialog(page).getByLabel('Name')).toBeFocused()
  await expectAccessible(page)
  await page.keyboard.type('Vantage points')
  await page.keyboard.press('Enter')
  const saved = view(page, /^Vantage points/)
  await expect(saved).toHaveAttribute('aria-current', 'page')
  await expect(saved).toHaveText(/2$/)
  await expectAccessible(page)

  await view(page, 'All').click()
  await expect(page).toHaveURL('/tenants')
  await saved.click()
  await expect(rowsOf(page, 'Tenants')).toHaveCount(2)
  await expect(filterChip(page, 'Status Active')).toBeVisible()
  await expect(page).toHaveURL(/q=vantage&sort=name&status=active&saved=/)

  await setFilter(page, 'Status', 'Inactive')
  await chooseViewAction(page, 'Vantage points', 'Save Changes to This View')
  await expect(saved).toHaveText(/0$/)
  await chooseViewAction(page, 'Vantage points', 'Rename')
  await dialog(page).getByLabel('Name').fill('Low points')
  await page.keyboard.press('Enter')
  await expect(view(page, /^Low points/)).toBeVisible()
  await chooseViewAction(page, 'Low points', 'Delete')
  await dialog(page).getByRole('button', { name: 'Delete' }).click()
  await expect(view(page, /^Low points/)).toHaveCount(0)
  await expect(view(page, 'All')).toHaveAttribute('aria-current', 'page')
})

test('a view of API keys opens the list in which it was saved', async ({ signedIn: page }) => {
  const tenant = await makeTenant(page, 'Outlook Works')
  await makeKey(page, tenant)
  await makeKey(page, tenant)
  const list = (name: string) => page.getByRole('button', { name, exact: true })
  for (const [address, name, count] of [
    ['/keys?q=outlook', 'By the tenant', 1],
    ['/keys?view=all&q=outlook', 'All of them', 2],
  ] as const) {
    await page.goto(address)
    await save(page).click()
    await dialog(page).getByLabel('Name').fill(name)
    await page.keyboard.press('Enter')
    await expect(view(page, name)).toHaveText(`${name}${count}`)
  }
  await expect(list('All keys')).toHaveAttribute('aria-pressed', 'true')
  await expectAccessible(page)
  await view(page, 'By the tenant').click()
  await expect(list('By tenant')).toHaveAttribute('aria-pressed', 'true')
  await expect(page.getByText(/^1 of \d+ tenants?$/)).toBeVisible()
  await view(page, 'All of them').click()
  await expect(rowsOf(page, 'API Keys')).toHaveCount(2)
  await view(page, /^All$/).click()
  await expect(page).toHaveURL('/keys?view=all')
})

test('a shared view opens by default, and somebody who may not edit cannot change it', async ({
  signedIn: page,
  server,
}) => {
  await makeTenant(page, 'Commons Works')
  await page.goto('/tenants?q=commons')
  await save(page).click()
  await dialog(page).getByLabel('Name').fill('Common ground')
  await dialog(page).getByLabel('Share with the team').check()
  await dialog(page).getByLabel('Open Tenants with This View').check()
  await dialog(page).getByRole('button', { name: 'Save View' }).click()
  await expect(dialog(page)).toHaveCount(0)
  await page.getByRole('complementary').getByRole('link', { name: 'Users' }).click()
  await expect(page.getByRole('heading', { name: 'Users' })).toBeVisible()
  await page.getByRole('complementary').getByRole('link', { name: 'Tenants' }).click()
  await expect(page).toHaveURL(/q=commons/)
  await view(page, 'All').click()
  await expect(page).toHaveURL('/tenants?saved=all')

  await openSession(page, await makeMember(server, 'auditor'))
  await page.goto('/tenants')
  await view(page, /^Common ground/).click()
  await expect(rowsOf(page, 'Tenants')).toHaveCount(1)
  await page.getByRole('button', { name: 'More actions for the view Common ground' }).click()
  await expect(page.getByRole('menuitem')).toHaveText(['Open Tenants with This View'])
  await page.keyboard.press('Escape')
  await save(page).click()
  await expect(dialog(page).getByLabel('Share with the team')).toHaveCount(0)
  await dialog(page).getByLabel('Name').fill('Mine alone')
  await page.keyboard.press('Enter')
  await expect(view(page, /^Mine alone/)).toBeVisible()
  await page.setViewportSize({ width: 390, height: 844 })
  await expectAccessible(page)
  await expectNoSidewaysScroll(page, 320)
})
