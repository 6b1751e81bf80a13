import { isDeepStrictEqual } from 'node:util'
import type { Browser, Page } from '@playwright/test'
import { me } from '@switchboard/contract/auth/session'
import { figure } from './dashboard-parts.ts'
import { callApi, expect, expectAccessible, openSession, saveData, test, untilLoaded } from './fixtures.ts'
import { shifted } from './measures/layout-shift.ts'
import { makeMember } from './members.ts'
import type { Server } from './server.ts'
import { rowOf, rowsOf } from './tables.ts'
import { chooseAction, makeTenant } from './tenant-keys.ts'

/** A change of one admin is on the screen of another within this time. */
const SOON = { timeout: 2_000 }

/** The screen of another admin, in another browser. */
async function otherAdmin(browser: Browser, server: Server): Promise<Page> {
  const context = await browser.newContext({ baseURL: server.url })
  await saveData(context)
  const page = await context.newPage()
  await openSession(page, await makeMember(server, 'support'))
  return page
}

/** Opens a page that follows the changes of others. */
async function openLive(page: Page, path: string): Promise<void> {
  await Promise.all([page.waitForResponse((answer) => answer.url().includes('/events/stream')), page.goto(path)])
  await untilLoaded(page)
}
const offer = (page: Page, text: string) => page.getByRole('button', { name: `${text} · Show` })

test('what one admin changes, the list of another shows within two seconds, and no row moves', async ({
  signedIn: page,
  browser,
  server,
}) => {
  for (const name of ['Skylark One', 'Skylark Two', 'Skylark Three']) await makeTenant(page, name)
  const other = await otherAdmin(browser, server)
  await openLive(page, '/tenants?q=skylark')
  await other.goto('/tenants?q=skylark')
  await page.getByRole('checkbox', { name: 'Select Skylark One' }).check()
  const before = await shifted(page)

  await chooseAction(rowOf(other, 'Tenants', 'Skylark Two'), 'Edit', 'Skylark Two')
  const form = other.getByRole('dialog', { name: 'Edit Tenant' })
  await form.getByLabel('Tenant Name').fill('Skylark Second')
  await form.getByRole('button', { name: 'Save Changes' }).click()
  await expect(form).toBeHidden()
  await expect(rowOf(page, 'Tenants', 'Skylark Second')).toBeVisible(SOON)

  for (const name of ['Skylark Four', 'Skylark Five']) await makeTenant(other, name)
  await expect(offer(page, '2 new tenants')).toBeVisible(SOON)
  await expect(rowsOf(page, 'Tenants')).toHaveCount(3)
  await expect(page.getByRole('status').filter({ hasText: 'Others have changed the tenants.' })).toHaveCount(1)
  expect(await shifted(page)).toBe(before)
  await expect(page.getByRole('checkbox', { name: 'Select Skylark One' })).toBeChecked()
  await expectAccessible(page)

  await offer(page, '2 new tenants').click()
  await expect(rowsOf(page, 'Tenants')).toHaveCount(5)
  await expect(offer(page, '2 new tenants')).toHaveCount(0)
  await expect(page.getByRole('checkbox', { name: 'Select Skylark One' })).toBeChecked()
  await other.context().close()
})

test('a row that another admin deletes stays until the list is shown again', async ({
  signedIn: page,
  browser,
  server,
}) => {
  for (const name of ['Vanishing One', 'Vanishing Two']) await makeTenant(page, name)
  const other = await otherAdmin(browser, server)
  await openLive(page, '/tenants?q=vanishing')
  const id = await makeTenant(other, 'Vanishing Three')
  await expect(offer(page, '1 new tenant')).toBeVisible(SOON)
  await offer(page, '1 new tenant').click()
  await expect(rowsOf(page, 'Tenants')).toHaveCount(3)
  await callApi(page, 'DELETE', `tenants/${id}`)
  await expect(offer(page, 'This list has changed')).toBeVisible(SOON)
  await expect(rowsOf(page, 'Tenants')).toHaveCount(3)
  await offer(page, 'This list has changed').click()
  await expect(rowsOf(page, 'Tenants')).toHaveCount(2)
  await other.context().close()
})

test('an open form says who changed its record before the save meets the conflict', async ({
  signedIn: page,
  browser,
  server,
  problems,
}) => {
  problems.expected.push(/status of 412/)
  const id = await makeTenant(page, 'Forewarned')
  const other = await otherAdmin(browser, server)
  const { name, email } = me.schema.response[200].parse(await callApi(other, 'GET', 'auth/me'))
  const person = name ?? email
  await openLive(page, '/tenants?q=forewarned')
  await chooseAction(rowOf(page, 'Tenants', 'Forewarned'), 'Edit', 'Forewarned')
  const form = page.getByRole('dialog', { name: 'Edit Tenant' })
  const goal = form.getByLabel('Goal')
  await goal.fill('Help with')
  let place = await goal.boundingBox()
  // The dialog is still growing while it opens.
  const isStill = async () => isDeepStrictEqual(place, (place = await goal.boundingBox()))
  await expect.poll(isStill).toBe(true)
  const before = await shifted(page)
  await callApi(other, 'PUT', `tenants/${id}`, { aggressiveness: 0.9 })
  const note = form.getByText(`${person} changed this tenant just now.`, { exact: true })
  await expect(note).toBeVisible(SOON)
  await expect(form.getByRole('status').filter({ hasText: `${person} changed this tenant` })).toHaveCount(1)
  await page.keyboard.type(' kettles')
  await expect(goal).toHaveValue('Help with kettles')
  expect(await goal.boundingBox()).toEqual(place)
  expect(await shifted(page)).toBe(before)
  await expectAccessible(page)
  await form.getByRole('button', { name: 'Save Changes' }).click()
  await expect(form.getByRole('alert')).toContainText('changed this tenant')
  await expect(note).toHaveCount(0)
  await form.getByRole('button', { name: 'Keep Mine' }).click()
  await expect(form).toBeHidden()
  await other.context().close()
})

test('an own change is not offered to the tab that made it, and an open menu holds back the changes of others', async ({
  signedIn: page,
  browser,
  server,
}) => {
  const id = await makeTenant(page, 'Steady One')
  const other = await otherAdmin(browser, server)
  await openLive(page, '/tenants?q=steady')
  await page.getByRole('button', { name: 'More actions for Steady One' }).click()
  const suspend = page.getByRole('menuitem', { name: 'Suspend' })
  await expect(suspend).toBeVisible()
  await callApi(other, 'PUT', `tenants/${id}`, { name: 'Steady Uno' })
  // Longer than a change takes.
  await page.waitForTimeout(2_500)
  await expect(suspend).toBeVisible()
  await expect(rowOf(page, 'Tenants', 'Steady One')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(rowOf(page, 'Tenants', 'Steady Uno')).toBeVisible(SOON)

  await chooseAction(rowOf(page, 'Tenants', 'Steady Uno'), 'Edit', 'Steady Uno')
  const form = page.getByRole('dialog', { name: 'Edit Tenant' })
  await form.getByLabel('Tenant Name').fill('Steady Again')
  await form.getByRole('button', { name: 'Save Changes' }).click()
  await expect(rowOf(page, 'Tenants', 'Steady Again')).toBeVisible()
  await page.waitForTimeout(1_500)
  await expect(page.getByRole('button', { name: '· Show' })).toHaveCount(0)
  await other.context().close()
})

test('the figures of the dashboard move', async ({ signedIn: page }) => {
  await openLive(page, '/')
  const total = figure(page, 'Total Tenants')
  const before = (await total.textContent()) ?? ''
  await makeTenant(page, 'Figure of the Dashboard')
  await expect(total).not.toHaveText(before, SOON)
})

test('a hundred changes are fetched once a second', async ({ signedIn: page, browser, server }) => {
  const id = await makeTenant(page, 'Busy Lines')
  const other = await otherAdmin(browser, server)
  await openLive(page, '/tenants?q=busy+lines')
  let fetches = 0
  page.on('request', (request) => (fetches += Number(request.url().includes('/tenants?q=busy'))))
  const began = Date.now()
  for (let n = 1; n <= 20; n += 1)
    await Promise.all([1, 2, 3, 4, 5].map((m) => callApi(other, 'PUT', `tenants/${id}`, { goal: `Goal ${n} ${m}` })))
  await callApi(other, 'PUT', `tenants/${id}`, { name: 'Busy Lines at Last' })
  await expect(rowOf(page, 'Tenants', 'Busy Lines at Last')).toBeVisible()
  expect(fetches).toBeLessThanOrEqual(2 + (Date.now() - began) / 1_000)
  await other.context().close()
})

test('a session that another admin ends leaves its screen at once', async ({
  signedIn: page,
  browser,
  server,
  problems,
}) => {
  problems.expected.push(/status of 401/)
  const other = await otherAdmin(browser, server)
  await openLive(other, '/tenants')
  const { id } = me.schema.response[200].parse(await callApi(other, 'GET', 'auth/me'))
  await callApi(page, 'DELETE', `team/${id}/sessions`)
  await expect(other.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  await other.context().close()
})

test('a tab that nobody uses asks nothing by itself, so that its session ends', async ({ signedIn: page }) => {
  await page.clock.install()
  await openLive(page, '/')
  let calls = 0
  page.on('request', (request) => (calls += request.url().includes('/api/') ? 1 : 0))
  await page.clock.runFor(60_000)
  expect(calls).toBeGreaterThan(0)
  await page.clock.fastForward(31 * 60_000)
  await page.clock.runFor(60_000)
  calls = 0
  await page.clock.runFor(5 * 60_000)
  expect(calls).toBe(0)
  const answer = page.waitForResponse((response) => response.url().includes('/events/stream'))
  await page.mouse.move(200, 200)
  await answer
})
