import type { Page } from '@playwright/test'
import { SCREENS } from '#tests/screens.ts'
import { task as taskSchema } from '@switchboard/contract/tasks'
import { callApi, expect, expectAccessible, expectNoSidewaysScroll, test, untilLoaded } from './fixtures.ts'
import { person } from './person.ts'
import { makeRecords, openScreen } from './screen-walk.ts'
import { smallTargets } from './measures/targets.ts'
import { makeTask, runNow } from './task-records.ts'
import { makeKey, makeTenant, makeUser } from './tenant-keys.ts'
import { filterButton, filterChip } from './tables.ts'

/** Each list with a filter that keeps a row. */
const LISTS = [
  ['/tenants', 'status=active', 'Tenants'],
  ['/users', 'is_active=true', 'Users'],
  ['/tasks', 'frequency=weekly', 'Tasks'],
  ['/tasks/runs', 'outcome=succeeded', 'Runs'],
  ['/settings/activity', 'outcome=done', 'Activity'],
] as const

const list = (page: Page, name: string) => page.getByRole('list', { name, exact: true })

/** Dialogs, and the button that opens one. */
const DIALOGS = [
  ['/', /^Open menu/],
  ['/', /^Search/],
  ['/tenants', /^Filter$/],
  ['/tenants', /^More actions for Tenants/],
  ['/keys', /Generate Key$/],
  ['/settings/activity', /^Filter$/],
  ['/settings/activity', /^More actions for Activity/],
  ['/settings/activity?row=1', null],
] as const

async function expectLargeTargets(page: Page, place: string): Promise<void> {
  await untilLoaded(page)
  for (const width of [390, 320]) {
    await page.setViewportSize({ width, height: 844 })
    expect.soft(await smallTargets(page), `${place} at ${width} pixels`).toEqual([])
  }
}

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } })

  test('the rows of every list begin in the upper quarter of the screen, with a filter too', async ({
    signedIn: page,
  }) => {
    await runNow(page, await makeTask(page, 'Quarter'))
    for (const [address, filter, name] of LISTS) {
      for (const url of [address, `${address}?${filter}`]) {
        await page.goto(url)
        await expect(list(page, name).getByRole('listitem').first()).toBeVisible()
        for (const width of [390, 320]) {
          await page.setViewportSize({ width, height: 844 })
          await expectNoSidewaysScroll(page)
          const box = await list(page, name).boundingBox()
          expect.soft(box?.y, `${url} at ${width} pixels`).toBeLessThanOrEqual(844 / 4)
        }
      }
    }
  })

  test('the rows in a tab of a tenant begin in the upper half of the screen', async ({ signedIn: page }) => {
    const { tenant_id } = taskSchema.parse(await callApi(page, 'GET', `tasks/${await makeTask(page, 'Half')}`))
    for (const [tab, name] of [
      ['tasks', 'Tasks'],
      ['activity', 'Activity'],
    ] as const) {
      await page.goto(`/tenants/${tenant_id}/${tab}`)
      await expect(list(page, name).getByRole('listitem').first()).toBeVisible()
      for (const width of [390, 320]) {
        await page.setViewportSize({ width, height: 844 })
        const box = await list(page, name).boundingBox()
        expect.soft(box?.y, `${tab} at ${width} pixels`).toBeLessThanOrEqual(844 * 0.45)
      }
    }
  })

  test('every control of a screen is a target of at least 40 pixels', async ({ signedIn: page }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' })
    const { withIds } = await makeRecords(page, 'Thumb')
    for (const { address, few = address, shown } of Object.values(SCREENS)) {
      await openScreen(page, withIds(few), shown)
      await expectLargeTargets(page, few)
    }
    await openScreen(page, withIds('/tenants?q=NAME&status=active'), 'Thumb')
    await expectLargeTargets(page, 'a list with filters')
  })

  test('the name of a tenant in a row leads to its page', async ({ signedIn: page }) => {
    const task = await makeTask(page, 'Leading')
    await runNow(page, task)
    const { tenant_id } = taskSchema.parse(await callApi(page, 'GET', `tasks/${task}`))
    await makeKey(page, tenant_id, { name: 'Leading key' })
    await makeUser(page, tenant_id, 'leading@example.com')
    for (const [address, tab] of [
      ['/users?q=leading', 'users'],
      ['/keys?q=leading', 'keys'],
      ['/tasks?q=leading', 'tasks'],
      ['/tasks/runs?q=leading', 'tasks'],
    ] as const) {
      await page.goto(address)
      const link = page.getByRole('listitem').locator(`a[href="/tenants/${tenant_id}/${tab}"]`)
      await expect(link).toHaveText(/Leading/)
      await expectAccessible(page)
      await link.click()
      await expect(page).toHaveURL(new RegExp(`/tenants/${tenant_id}/${tab}`))
    }
  })

  test('every control of a menu or dialog is a target of at least 40 pixels', async ({ signedIn: page }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await makeTenant(page, 'Thumb lists')
    for (const [address, open] of DIALOGS) {
      await page.goto(address)
      if (open !== null) await page.getByRole('button', { name: open }).filter({ visible: true }).first().click()
      await expect(page.getByRole('dialog')).toBeVisible()
      await expectLargeTargets(page, `${address} ${String(open)}`)
    }
  })

  test('filters open in a sheet, show as chips, and are removed one by one or together', async ({ signedIn: page }) => {
    for (const n of [1, 2]) await makeTenant(page, `Sheet ${n}`)
    await makeTenant(page, 'Sheet 3', { tenant_type: 'service' })
    await page.goto('/tenants?q=sheet')
    await expect(list(page, 'Tenants').getByRole('listitem')).toHaveCount(3)
    await expect(page.getByText(/^3 of \d+$/)).toBeVisible()
    await filterButton(page).click()
    const sheet = page.getByRole('dialog', { name: 'Filters' })
    await expect(sheet.getByRole('heading', { name: 'Filters' })).toBeFocused()
    const choose = async (filter: string, value: string) => {
      await sheet.getByRole('option', { name: new RegExp(`^${filter}`) }).click()
      await sheet.getByRole('option', { name: value, exact: true }).click()
    }
    await choose('Type', 'Service Company')
    await choose('Status', 'Active')
    await expect(list(page, 'Tenants').getByRole('listitem')).toHaveCount(1)
    await expectAccessible(page)
    await choose('Sort by', 'Name A–Z')
    await sheet.getByRole('button', { name: 'Done' }).click()
    await expect(sheet).toHaveCount(0)
    await expect(filterButton(page)).toHaveText('2')
    await expect(filterButton(page)).toBeFocused()
    await expect(page).toHaveURL('/tenants?q=sheet&tenant_type=service&status=active&sort=name')
    await expectAccessible(page)

    await filterChip(page, 'Type Service Company').click()
    await expect(page.getByRole('heading', { name: 'Tenants' })).toBeFocused()
    await expect(filterButton(page)).toHaveText('1')
    await filterButton(page).click()
    await sheet.getByRole('button', { name: 'Clear Filters' }).click()
    await expect(sheet.getByRole('button', { name: 'Clear Filters' })).toBeDisabled()
    await page.keyboard.press('Escape')
    await expect(page).toHaveURL('/tenants?q=sheet&sort=name')
    await expect(filterButton(page)).toHaveText('')
  })

  test('the menu of a list refreshes, exports and selects all rows of the page', async ({ signedIn: page }) => {
    for (const n of [1, 2]) await makeTenant(page, `Menu ${n}`)
    await page.goto('/tenants?q=menu')
    const more = page.getByRole('button', { name: 'More actions for Tenants', exact: true })
    const menu = page.getByRole('dialog', { name: 'Actions for Tenants' })
    await more.click()
    await menu.getByRole('button', { name: 'Select All on This Page' }).click()
    const bar = page.getByRole('region', { name: 'Selection' })
    await expect(bar).toContainText('2 selected')
    await page.setViewportSize({ width: 320, height: 640 })
    const cut = await bar
      .getByText(/…$/)
      .evaluateAll((labels) => labels.filter((one) => one.scrollWidth > one.clientWidth))
    expect(cut).toEqual([])
    await makeTenant(page, 'Menu 3')
    await more.click()
    await menu.getByRole('button', { name: /^Refresh \(as of / }).click()
    await expect(list(page, 'Tenants').getByRole('listitem')).toHaveCount(3)
    await expect(page.getByRole('status').filter({ hasText: 'Refreshed tenants, as of' })).toHaveCount(1)
  })
})

test.describe('at 400 % zoom', () => {
  test.use({ viewport: { width: 320, height: 200 } })

  test('head and buttons of a dialog scroll with its content', async ({ signedIn: page }) => {
    await makeTenant(page, 'Zoomed Works')
    await page.goto('/tenants?q=zoomed')
    const { click, type, clicks } = person(page)
    await click(page.getByRole('button', { name: 'More actions for Zoomed Works' }))
    await click(page.getByRole('button', { name: 'Edit' }))
    const dialog = page.getByRole('dialog', { name: 'Edit Tenant' })
    await dialog.getByLabel('Goal').focus()
    await dialog.getByLabel('Goal').scrollIntoViewIfNeeded()
    for (const part of [
      dialog.getByRole('heading', { name: 'Edit Tenant' }),
      dialog.getByRole('button', { name: 'Save' }),
    ])
      await expect(part).not.toBeInViewport()
    await expectNoSidewaysScroll(page)
    await type(dialog.getByLabel('Goal'), 'Typed at 400 %')
    await click(dialog.getByRole('button', { name: 'Save' }))
    await expect(page.getByText('Zoomed Works was updated.')).toBeVisible()
    expect(clicks()).toBeLessThanOrEqual(4)
  })
})
