import type { Page } from '@playwright/test'
import { task as taskSchema } from '@switchboard/contract/tasks'
import { callApi, expect, expectAccessible, refuseStream, test, untilLoaded } from './fixtures.ts'
import { chooseListAction } from './tables.ts'
import { makeTask, runNow } from './task-records.ts'
import { makeKey, makeTenant } from './tenant-keys.ts'

const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true })
const sidebar = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true })

test('without a stream of changes, a list is refetched when the window gets the focus; the selection stays, and the layout does not shift', async ({
  signedIn: page,
  problems,
}) => {
  problems.expected.push(/ERR_FAILED/)
  await page.route('**/events/stream*', (route) => route.abort())
  for (let n = 10; n < 40; n += 1) await makeTenant(page, `Focus ${n}`)
  await page.goto('/tenants?q=focus&sort=name')
  await page.getByRole('checkbox', { name: 'Select Focus 35' }).check()
  await page.evaluate(() => window.scrollTo(0, 400))
  const scroll = () => page.evaluate(() => window.scrollY)
  const before = await scroll()
  await makeTenant(page, 'Focus 40')
  const shown: string[] = []
  page.on('console', (message) => shown.push(message.text()))
  await page.evaluate(() => {
    const main = document.querySelector('main')
    if (main === null) throw new Error('There is no page.')
    new MutationObserver(() => {
      if (main.textContent.includes('Loading')) console.log('flash')
    }).observe(main, { subtree: true, childList: true, characterData: true })
  })
  // A result younger than a second counts as fresh.
  await expect(async () => {
    await page.evaluate(() => window.dispatchEvent(new Event('focus')))
    await expect(link(page, 'Focus 40')).toBeAttached({ timeout: 500 })
  }).toPass()
  await expect(page.getByRole('region', { name: 'Selection' })).toContainText('1 selected')
  await expect(page.getByRole('checkbox', { name: 'Select Focus 35' })).toBeChecked()
  expect(await scroll()).toBe(before)
  expect(shown).not.toContain('flash')
})

test('a cached list is shown at once and fetched again on the way back', async ({ signedIn: page, problems }) => {
  problems.expected.push(/status of 403/)
  // The stream would offer the new row if it told of it only after the way back.
  await refuseStream(page)
  await makeTenant(page, 'Returned One')
  await page.goto('/tenants?q=returned')
  await expect(link(page, 'Returned One')).toBeVisible()
  const readAt = Date.now()
  await sidebar(page, 'Settings').click()
  await expect(page.getByRole('heading', { name: 'Admin Settings' })).toBeVisible()
  await makeTenant(page, 'Returned Two')
  // A result younger than a second counts as fresh and is not fetched again.
  await expect.poll(() => Date.now() - readAt).toBeGreaterThan(1_000)
  const held = Promise.withResolvers<void>()
  await page.route('**/api/v1/admin/tenants?*', async (route) => {
    await held.promise
    await route.continue()
  })
  await page.goBack()
  await expect(link(page, 'Returned One')).toBeVisible()
  await expect(link(page, 'Returned Two')).toHaveCount(0)
  held.resolve()
  await expect(link(page, 'Returned Two')).toBeVisible()
})

test('a list is refreshed by hand, shows its time, and stays after a failure', async ({ signedIn: page, problems }) => {
  problems.expected.push(/status of 403/)
  await makeTenant(page, 'Handmade One')
  await page.goto('/tenants?q=handmade')
  await expect(link(page, 'Handmade One')).toBeVisible()
  await makeTenant(page, 'Handmade Two')
  await chooseListAction(page, /^Refresh \(as of \d/)
  await expect(link(page, 'Handmade Two')).toBeVisible()
  await expect(page.getByRole('button', { name: 'More actions for Tenants' })).toBeFocused()
  await expect(page.getByRole('status').filter({ hasText: /^Refreshed tenants, as of \d/ })).toHaveCount(1)
  await expectAccessible(page)

  await page.route('**/api/v1/admin/tenants?*', (route) =>
    route.fulfill({ status: 403, json: { detail: 'Not for you.' } }),
  )
  await chooseListAction(page, /^Refresh/)
  await expect(page.getByRole('region', { name: 'Notifications' })).toContainText('Not for you.')
  await expect(link(page, 'Handmade Two')).toBeVisible()
  await expect(page.getByText(/^Not refreshed since \d/)).toBeVisible()
})

for (const [path, noun] of [
  ['/users', 'users'],
  ['/keys', 'API keys'],
  ['/tasks', 'tasks'],
  ['/tasks/runs', 'runs'],
  ['/settings/activity', 'activity'],
] as const) {
  test(`${path} can be refreshed by hand`, async ({ signedIn: page }) => {
    // An empty list has no menu.
    const task = await makeTask(page, `Refreshed ${noun}`)
    await runNow(page, task)
    const { tenant_id } = taskSchema.parse(await callApi(page, 'GET', `tasks/${task}`))
    await makeKey(page, tenant_id)
    await page.goto(path)
    await untilLoaded(page)
    const answer = page.waitForResponse(/\/api\/v1\/admin\//)
    await chooseListAction(page, /^Refresh \(as of \d/)
    await answer
    await expect(page.getByRole('status').filter({ hasText: `Refreshed ${noun}, as of` })).toHaveCount(1)
  })
}
