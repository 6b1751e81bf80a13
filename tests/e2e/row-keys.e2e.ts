import type { Locator, Page } from '@playwright/test'
import { expect, expectAccessible, test, untilLoaded } from './fixtures.ts'
import { person, pressSequence } from './person.ts'
import { rowOf, rowsOf } from './tables.ts'
import { makeTask } from './task-records.ts'
import { makeTenant, makeTenants, makeUser } from './tenant-keys.ts'

/** The most Tab presses from the search of a list to the link to its next page. */
const TABS_MAX = 12

const press = async (page: Page, ...keys: string[]) => {
  for (const key of keys) await page.keyboard.press(key)
}
const bar = (page: Page) => page.getByRole('region', { name: 'Selection' })
const box = (row: Locator) => row.getByRole('checkbox')

async function makeUsers(page: Page, name: string, count: number): Promise<void> {
  const tenant_id = await makeTenant(page, name)
  for (let n = 1; n <= count; n += 1) await makeUser(page, tenant_id, `${name}-${n}@rows.example`)
}

test('the cursor moves over the rows, and over the controls of a row', async ({ signedIn: page }) => {
  await makeTenants(page, 'Rower', 3)
  await page.goto('/tenants?q=rower&sort=name')
  const row = (n: number) => rowOf(page, 'Tenants', `Rower 0${n}`)
  await expect(row(3)).toBeVisible()
  await press(page, 'j')
  await expect(row(1)).toBeFocused()
  await press(page, 'j', 'ArrowDown')
  await expect(row(3)).toBeFocused()
  await press(page, 'j')
  await expect(row(3)).toBeFocused()
  await press(page, 'k')
  await expect(row(2)).toBeFocused()
  await press(page, 'Home', 'End')
  await expect(row(3)).toBeFocused()
  await press(page, 'ArrowRight')
  await expect(box(row(3))).toBeFocused()
  await press(page, 'ArrowRight', 'ArrowUp')
  await expect(row(2)).toBeFocused()
  await expectAccessible(page)

  await press(page, 'Tab')
  await expect(box(row(2))).toBeFocused()
  await press(page, 'Tab')
  await expect(page.getByLabel('Rows per page')).toBeFocused()
  await press(page, 'Shift+Tab', 'Shift+Tab')
  await expect(row(2)).toBeFocused()
  await pressSequence(page, 'g', 'k')
  await expect(page).toHaveURL('/keys')
})

test('the row under the cursor is visible below the head and in forced colors', async ({ signedIn: page }) => {
  await makeTenants(page, 'Scroller', 26)
  await page.setViewportSize({ width: 1440, height: 500 })
  await page.emulateMedia({ forcedColors: 'active' })
  await page.goto('/tenants?q=scroller&sort=name&limit=25')
  const rows = rowsOf(page, 'Tenants')
  await expect(rows).toHaveCount(25)
  await press(page, 'j', 'x', 'End')
  await expect(rows.last()).toBeFocused()
  const boxOf = async (locator: Locator) => (await locator.boundingBox()) ?? { y: 0, height: 0 }
  const last = await boxOf(rows.last())
  expect(last.y + last.height).toBeLessThanOrEqual((await boxOf(bar(page))).y)
  for (let n = 0; n < 20; n += 1) await press(page, 'ArrowUp')
  const head = await boxOf(page.getByRole('columnheader', { name: 'Name' }))
  expect((await boxOf(page.locator('tr:focus'))).y).toBeGreaterThanOrEqual(head.y + head.height - 1)
  expect(await page.locator('tr:focus').evaluate((row) => getComputedStyle(row).outlineStyle)).toBe('double')
})

test('a tenant is found, edited and deleted by keyboard, and the cursor stays near', async ({ signedIn: page }) => {
  await makeTenants(page, 'Finder', 3)
  await page.goto('/tenants?sort=name')
  await expect(rowsOf(page, 'Tenants').first()).toBeVisible()
  await press(page, '/')
  await page.keyboard.type('finder')
  await expect(page).toHaveURL(/q=finder/)
  await untilLoaded(page)
  await expect(rowsOf(page, 'Tenants')).toHaveCount(3)
  // A single key is text in a field.
  await expect(page.getByRole('searchbox')).toHaveValue('finder')
  await press(page, 'ArrowDown', 'j', 'e')
  const edit = page.getByRole('dialog', { name: 'Edit Tenant' })
  await expect(edit.getByLabel('Tenant name')).toBeFocused()
  await press(page, 'End')
  await page.keyboard.type(' renamed')
  await press(page, 'Enter')
  const renamed = rowOf(page, 'Tenants', 'Finder 02 renamed')
  await expect(renamed).toBeFocused()

  await press(page, '.')
  const menu = page.getByRole('menu', { name: 'Actions for Finder 02 renamed' })
  await expect(menu.getByRole('menuitem').first()).toBeFocused()
  await expectAccessible(page)
  await press(page, 'Escape')
  await expect(menu).toHaveCount(0)
  await expect(renamed).toBeFocused()
  await press(page, '.', 'ArrowUp')
  await expect(menu.getByRole('menuitem', { name: 'Delete' })).toBeFocused()
  await press(page, 'Enter')
  const question = page.getByRole('dialog', { name: 'Delete Tenant' })
  await expect(question.getByLabel('Type the name to confirm')).toBeFocused()
  await page.keyboard.type('Finder 02 renamed')
  await press(page, 'Enter')
  await expect(renamed).toHaveCount(0)
  await expect(rowOf(page, 'Tenants', 'Finder 03')).toBeFocused()
})

test('a key opens the menu of a row that has just been closed', async ({ signedIn: page }) => {
  await makeTenant(page, 'Reopened')
  await page.goto('/tenants?q=reopened')
  const menu = page.getByRole('menu', { name: 'Actions for Reopened' })
  const row = rowOf(page, 'Tenants', 'Reopened')
  const more = page.getByRole('button', { name: 'More actions for Reopened' })
  for (const [opener, key] of [
    [row, '.'],
    [more, 'Enter'],
  ] as const) {
    await opener.focus()
    await page.keyboard.press(key)
    await expect(menu.getByRole('menuitem').first()).toBeFocused()
    // Before the browser reports that the menu is closed.
    await opener.evaluate((element) => {
      document.querySelector<HTMLElement>('[role="menu"]:popover-open')?.hidePopover()
      if (element instanceof HTMLButtonElement) element.click()
      else element.dispatchEvent(new KeyboardEvent('keydown', { key: '.', bubbles: true }))
    })
    await expect(menu.getByRole('menuitem').first()).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(opener).toBeFocused()
  }
})

test('a scroll closes the menu of a row, but not a scroll just before the click', async ({ signedIn: page }) => {
  await page.setViewportSize({ width: 1440, height: 500 })
  await makeTenants(page, 'Scrolled', 12)
  await page.goto('/tenants?q=scrolled&sort=name')
  const menu = page.getByRole('menu')
  await page.getByRole('button', { name: 'More actions for Scrolled 01' }).click()
  await expect(menu).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(menu).toHaveCount(0)
  // In one task: the browser sends the event of the scroll after the click.
  await page.getByRole('button', { name: 'More actions for Scrolled 12' }).evaluate(async (button: HTMLElement) => {
    const scrolled = new Promise((resolve) => window.addEventListener('scroll', resolve, { capture: true, once: true }))
    button.scrollIntoView({ block: 'center' })
    button.click()
    await scrolled
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
  })
  await expect(menu).toBeVisible()
  await page.evaluate(() => window.scrollTo(0, 0))
  await expect(menu).toHaveCount(0)
})

test('users are selected by X and Shift+X, and deactivated with only the keyboard', async ({ signedIn: page }) => {
  await makeUsers(page, 'picked', 5)
  await page.goto('/users?q=picked&sort=email')
  const rows = rowsOf(page, 'Users')
  await expect(rows).toHaveCount(5)
  await press(page, 'j', 'x', 'j', 'j', 'Shift+X')
  await expect(bar(page).getByText('3 selected').last()).toBeVisible()
  await expect(box(rows.nth(1))).toBeChecked()
  await press(page, 'Escape')
  await expect(bar(page)).toHaveCount(0)
  await expect(rows.nth(2)).toBeFocused()
  await press(page, 'x', 'k', 'k', 'Shift+X')
  const deactivate = bar(page).getByRole('button', { name: 'Deactivate' })
  await deactivate.focus()
  await press(page, 'Enter')
  // Escape closes the dialog, and the selection stays.
  await expect(page.getByRole('dialog')).toBeVisible()
  await press(page, 'Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(bar(page).getByText('3 selected').last()).toBeVisible()
  await expect(deactivate).toBeFocused()
  await press(page, 'Enter')
  // The dialog takes the focus first, for "Cancel".
  await expect(page.getByRole('dialog').locator(':focus')).toHaveCount(1)
  await page.getByRole('dialog').getByRole('button', { name: 'Deactivate' }).press('Enter')
  await expect(page.getByText('3 users were deactivated.')).toBeVisible()
  await expect(rows.filter({ hasText: 'Inactive' })).toHaveCount(3)
  // A user has no page: Enter opens the menu.
  await press(page, 'j', 'Enter')
  await expect(page.getByRole('menu', { name: /^Actions for picked-/ })).toBeVisible()
})

test('a click on a row opens its page, and a selected text does not', async ({ signedIn: page }) => {
  const id = await makeTenant(page, 'Clicked Cooperage')
  await page.goto('/tenants?q=clicked')
  const cells = rowOf(page, 'Tenants', 'Clicked Cooperage').getByRole('cell')
  await cells.getByText('Product').selectText()
  await cells.nth(5).dispatchEvent('click')
  await cells.last().click({ position: { x: 2, y: 2 } })
  await cells.first().click({ position: { x: 1, y: 1 } })
  await expect(page).toHaveURL('/tenants?q=clicked')
  await cells.nth(5).click()
  await expect(page).toHaveURL(`/tenants/${id}`)
  await page.goBack()
  await cells.getByRole('checkbox').click()
  await expect(page.getByRole('region', { name: 'Selection' })).toContainText('1 selected')
  await expect(page).toHaveURL('/tenants?q=clicked')
})

test('Enter opens a task, and Back returns to its row', async ({ signedIn: page }) => {
  await makeTask(page, 'Opened task A')
  await makeTask(page, 'Opened task B')
  await page.goto('/tasks?q=opened+task&sort=tenant_name')
  await expect(rowsOf(page, 'Tasks')).toHaveCount(2)
  const { press: pressKeys, keys } = person(page)
  await pressKeys('j', 'j', 'Enter')
  await expect(page).toHaveURL(/\/tasks\/[-0-9a-f]{36}$/)
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  await page.goBack()
  await expect(rowOf(page, 'Tasks', 'Opened task B')).toBeFocused()
  expect(keys()).toBe(3)
  await page.goForward()
  await expect(page).toHaveURL(/\/tasks\/[-0-9a-f]{36}$/)
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
})

test('Enter opens a row of activity, and Escape returns to it', async ({ signedIn: page }) => {
  await makeTenant(page, 'Noted Works')
  await page.goto('/settings/activity?action=tenants.create')
  const row = rowOf(page, 'Activity', 'Noted Works')
  await expect(row).toBeVisible()
  await press(page, 'j')
  while (!(await row.evaluate((element) => element === document.activeElement))) await press(page, 'j')
  await press(page, 'Enter')
  await expect(page.getByRole('dialog')).toContainText('Noted Works')
  await press(page, 'Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(row).toBeFocused()
})

test('C creates, and the single keys can be switched off', async ({ signedIn: page }) => {
  await makeTenants(page, 'Switched', 2)
  for (const [list, role, firstField] of [
    ['/tenants', 'textbox', 'Tenant Name'],
    ['/users', 'textbox', 'Email Address'],
    ['/tasks', 'combobox', 'Tenant'],
  ] as const) {
    await page.goto(list)
    await expect(page.getByRole('link', { name: /^New / }).first()).toBeVisible()
    await press(page, 'c')
    await expect(page).toHaveURL(`${list}/create`)
    await expect(page.getByRole(role, { name: firstField })).toBeFocused()
  }
  await page.goto('/keys')
  await expect(page.getByRole('button', { name: 'Generate Key', exact: true }).first()).toBeVisible()
  await press(page, 'c')
  await expect(page.getByRole('dialog').getByRole('combobox', { name: 'Tenant' })).toBeFocused()
  await page.goto('/tenants?q=switched&sort=name')
  const rows = rowsOf(page, 'Tenants')
  await expect(rows).toHaveCount(2)
  await press(page, '?')
  await page.getByRole('checkbox', { name: /^Single-key shortcuts/ }).uncheck()
  await press(page, 'Escape', 'c', 'j')
  await expect(page).toHaveURL(/\/tenants\?/)
  await rows.first().focus()
  // The arrow keys are not characters, so they still work.
  await press(page, 'x', 'e', '.', 'ArrowDown')
  await expect(rows.nth(1)).toBeFocused()
  await expect(bar(page)).toHaveCount(0)
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('few Tab presses lead from the search of a full page to the next page', async ({ signedIn: page }) => {
  await makeTenants(page, 'Tabbed', 51)
  await makeUsers(page, 'tabbed', 51)
  for (const address of ['/tenants?q=tabbed', '/users?q=tabbed']) {
    await page.goto(address)
    await expect(page.getByRole('link', { name: 'Next' })).toBeVisible()
    await press(page, '/')
    await expect(page.getByRole('searchbox')).toBeFocused()
    let tabs = 0
    while (
      tabs <= TABS_MAX &&
      !(await page.getByRole('link', { name: 'Next' }).evaluate((link) => link.matches(':focus')))
    ) {
      await press(page, 'Tab')
      tabs += 1
    }
    expect(tabs, address).toBeLessThanOrEqual(TABS_MAX)
  }
})
