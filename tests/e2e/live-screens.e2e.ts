import type { Browser, Page } from '@playwright/test'
import { me } from '@switchboard/contract/auth/session'
import { listTaskRuns } from '@switchboard/contract/runs'
import { figure } from './dashboard-parts.ts'
import { callApi, expect, expectAccessible, openSession, saveData, test, untilLoaded } from './fixtures.ts'
import { TOTAL_COUNT_HEADER } from '@switchboard/contract/wire/lists'
import { shifted } from './measures/layout-shift.ts'
import { makeMember } from './members.ts'
import type { Server } from './server.ts'
import { rowOf, rowsOf } from './tables.ts'
import { makeDue, makeTask, runNow } from './task-records.ts'
import { chooseAction, makeTenant } from './tenant-keys.ts'

/** A change of one admin is on the screen of another within this time. */
const SHOWN_WITHIN_MS = 2_000

/** The screen of another admin, in another browser. */
async function otherAdmin(
  browser: Browser,
  server: Server,
  role: 'super_admin' | 'support' = 'support',
): Promise<Page> {
  const context = await browser.newContext({ baseURL: server.url })
  await saveData(context)
  const page = await context.newPage()
  await openSession(page, await makeMember(server, role))
  return page
}

/** Opens a page that follows the changes of others. */
async function openLive(page: Page, path: string): Promise<void> {
  await Promise.all([page.waitForResponse((answer) => answer.url().includes('/events/stream')), page.goto(path)])
  await untilLoaded(page)
}
/** Else a dialog still grows while it opens. */
const reduceMotion = (page: Page) => page.emulateMedia({ reducedMotion: 'reduce' })
const offer = (page: Page, text: string) => page.getByRole('button', { name: `${text} · Show` })

test('what one admin changes, the list of another shows within two seconds, and no row moves', async ({
  signedIn: page,
  browser,
  server,
}) => {
  for (const name of ['Skylark One', 'Skylark Two']) await makeTenant(page, name)
  const third = await makeTenant(page, 'Skylark Three')
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
  await expect(rowOf(page, 'Tenants', 'Skylark Second')).toBeVisible()
  // A busy machine may hold up one change, but not every change.
  let changes = 0
  await expect(async () => {
    changes += 1
    await callApi(other, 'PUT', `tenants/${third}`, { name: `Skylark Third ${changes}` })
    await expect(rowOf(page, 'Tenants', `Skylark Third ${changes}`)).toBeVisible({ timeout: SHOWN_WITHIN_MS })
  }).toPass({ timeout: 60_000 })

  for (const name of ['Skylark Four', 'Skylark Five']) await makeTenant(other, name)
  await expect(offer(page, '2 new tenants')).toBeVisible()
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

test('a total with one more digit moves nothing', async ({ signedIn: page }) => {
  await makeTenant(page, 'Bluethroat One')
  let total = '99'
  await page.route('**/api/v1/admin/tenants?limit=1', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, headers: { ...response.headers(), [TOTAL_COUNT_HEADER]: total } })
  })
  await openLive(page, '/tenants?q=bluethroat')
  await expect(page.getByText('1 of 99')).toBeVisible()
  const before = await shifted(page)
  total = '101'
  await makeTenant(page, 'Whinchat One')
  await expect(page.getByText('1 of 101')).toBeVisible()
  expect(await shifted(page)).toBe(before)
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
  await expect(offer(page, '1 new tenant')).toBeVisible()
  await offer(page, '1 new tenant').click()
  await expect(rowsOf(page, 'Tenants')).toHaveCount(3)
  await callApi(page, 'DELETE', `tenants/${id}`)
  await expect(offer(page, 'This list has changed')).toBeVisible()
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
  const id = await makeTenant(page, 'Forearmed')
  const other = await otherAdmin(browser, server)
  const { name, email } = me.schema.response[200].parse(await callApi(other, 'GET', 'auth/me'))
  const person = name ?? email
  await reduceMotion(page)
  await openLive(page, '/tenants?q=forearmed')
  await chooseAction(rowOf(page, 'Tenants', 'Forearmed'), 'Edit', 'Forearmed')
  const form = page.getByRole('dialog', { name: 'Edit Tenant' })
  const goal = form.getByLabel('Goal')
  await goal.fill('Help with')
  const place = await goal.boundingBox()
  const before = await shifted(page)
  await callApi(other, 'PUT', `tenants/${id}`, { aggressiveness: 0.9 })
  const note = form.getByText(`${person} changed this tenant just now.`, { exact: true })
  await expect(note).toBeVisible()
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

test('on a phone the note about a change covers nothing, and no button moves', async ({
  signedIn: page,
  browser,
  server,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  const id = await makeTenant(page, 'Narrowly Forewarned')
  const other = await otherAdmin(browser, server)
  await reduceMotion(page)
  await openLive(page, '/tenants?q=narrowly')
  await chooseAction(page.getByRole('listitem').filter({ hasText: 'Narrowly' }), 'Edit', 'Narrowly Forewarned')
  const form = page.getByRole('dialog', { name: 'Edit Tenant' })
  const save = form.getByRole('button', { name: 'Save Changes' })
  const subdomain = form.getByLabel('Subdomain')
  await subdomain.scrollIntoViewIfNeeded()
  const place = await save.boundingBox()
  const before = await shifted(page)
  await callApi(other, 'PUT', `tenants/${id}`, { aggressiveness: 0.9 })
  const note = form.getByRole('status').filter({ hasText: 'changed this tenant' })
  await expect(note).toBeVisible()
  expect([await save.boundingBox(), await shifted(page)]).toEqual([place, before])
  const [field, line] = await Promise.all([subdomain.boundingBox(), note.boundingBox()])
  expect((field?.y ?? 0) + (field?.height ?? 0)).toBeLessThanOrEqual(line?.y ?? 0)
  expect((line?.y ?? 0) + (line?.height ?? 0)).toBeLessThanOrEqual(place?.y ?? 0)
  await other.context().close()
})

test('a form is not warned of a change that its record has already', async ({ signedIn: page, browser, server }) => {
  const id = await makeTenant(page, 'Known Already')
  const other = await otherAdmin(browser, server)
  await callApi(other, 'PUT', `tenants/${id}`, { goal: 'Sell kettles' })
  let letThrough: () => void = () => undefined
  const opened = new Promise<void>((resolve) => (letThrough = resolve))
  await page.route('**/events/stream*', async (route) => {
    await opened
    await route.continue()
  })
  await page.goto('/tenants?q=known+already')
  await chooseAction(rowOf(page, 'Tenants', 'Known Already'), 'Edit', 'Known Already')
  const form = page.getByRole('dialog', { name: 'Edit Tenant' })
  await expect(form.getByLabel('Goal')).toHaveValue('Sell kettles')
  // The stream begins with the changes of the last seconds.
  const answer = page.waitForResponse((response) => response.url().includes('/events/stream'))
  letThrough()
  await answer
  await page.waitForTimeout(1_000)
  const note = form.getByText('changed this tenant')
  await expect(note).toHaveCount(0)
  await callApi(other, 'PUT', `tenants/${id}`, { goal: 'Sell more kettles' })
  await expect(note.first()).toBeVisible()
  await other.context().close()
})

test('a form on a page saves over the version that it was opened with, and warns of a newer one', async ({
  signedIn: page,
  browser,
  server,
  problems,
}) => {
  problems.expected.push(/status of 412/)
  const id = await makeTenant(page, 'Inline Forewarned')
  const other = await otherAdmin(browser, server)
  await openLive(page, `/tenants/${id}`)
  await page.getByRole('button', { name: 'Add Details' }).click()
  const form = page.getByRole('region', { name: 'Details' })
  await form.getByLabel('Tags').fill('mine')
  await callApi(other, 'PUT', `tenants/${id}`, { tags: ['theirs'] })
  await expect(form.getByText('changed this tenant').first()).toBeVisible()
  await form.getByRole('button', { name: 'Save Changes' }).click()
  await expect(form.getByRole('alert')).toContainText('changed this tenant')
  await other.context().close()
})

test('a draft of a prompt says who has published a version', async ({ signedIn: page, browser, server, problems }) => {
  problems.expected.push(/status of 412/)
  const id = await makeTenant(page, 'Prompt Forewarned')
  const other = await otherAdmin(browser, server, 'super_admin')
  const { name, email } = me.schema.response[200].parse(await callApi(other, 'GET', 'auth/me'))
  const publish = async (template: string) =>
    await callApi(other, 'PUT', `prompts/templates/general?tenant_id=${id}`, { template, note: '' })
  await publish('Closed on Sundays.')
  await openLive(page, `/tenants/${id}/prompt`)
  const card = page.getByRole('region', { name: 'Addendum' })
  await card.getByRole('button', { name: 'Edit' }).click()
  await card.getByRole('textbox').first().fill('Closed on Mondays.')
  await expect(page.getByRole('region', { name: 'Rendered text' })).toContainText('Closed on Mondays.')
  const before = await shifted(page)
  await publish('Closed on Tuesdays.')
  const note = `${name ?? email} changed this addendum`
  await expect(card.getByText(note).first()).toBeVisible()
  expect(await shifted(page)).toBe(before)
  await expectAccessible(page)
  await card.getByRole('button', { name: 'Save' }).click()
  const dialog = page.getByRole('dialog', { name: 'Save Addendum' })
  await expect(dialog.getByText(note).first()).toBeVisible()
  await dialog.getByRole('button', { name: /^Save as Version/ }).click()
  await dialog.getByRole('button', { name: 'Keep Mine' }).click()
  await expect(card.getByText(note)).toHaveCount(0)
  await publish('Closed on Wednesdays.')
  await expect(dialog.getByText(note).first()).toBeVisible()
  await other.context().close()
})

test('a run that starts by schedule moves the list of runs', async ({ signedIn: page, server }) => {
  const task = await makeTask(page, 'Moving by Schedule')
  await runNow(page, task)
  await openLive(page, '/tasks/runs?q=moving+by+schedule')
  await expect(rowsOf(page, 'Runs')).toHaveCount(1)
  const before = await shifted(page)
  await makeDue(server, task)
  await expect(offer(page, '1 new run')).toBeVisible({ timeout: 90_000 })
  const [run] = listTaskRuns.schema.response[200].parse(await callApi(page, 'GET', `tasks/${task}/runs?limit=1`))
  expect(run?.trigger).toBe('schedule')
  expect(await shifted(page)).toBe(before)
  await offer(page, '1 new run').click()
  await expect(rowsOf(page, 'Runs')).toHaveCount(2)
  await expect(rowsOf(page, 'Runs').filter({ hasText: 'Succeeded' })).toHaveCount(2)
})

/** Counts the requests of a page without an answer. */
function pendingRequests(page: Page): () => number {
  let pending = 0
  page.on('request', () => (pending += 1))
  page.on('requestfinished', () => (pending -= 1))
  page.on('requestfailed', () => (pending -= 1))
  return () => pending
}

for (const status of [429, 503])
  test(`a proxy that answers ${status} to the stream costs only the live updates`, async ({
    signedIn: page,
    problems,
  }) => {
    problems.expected.push(new RegExp(`status of ${status}`))
    await page.clock.install()
    let tries = 0
    const pending = pendingRequests(page)
    await page.route('**/events/stream*', async (route) => {
      tries += 1
      await route.fulfill({ status, body: 'Unavailable' })
    })
    // The bell asks now and then. Its limit passes on the page's clock, however busy the server is.
    await page.route('**/api/v1/admin/alerts', (route) => route.fulfill({ json: { unread: 0, open: 0, alerts: [] } }))
    await page.goto('/tenants')
    await untilLoaded(page)
    // The calls after the first screen begin before the stream.
    await expect.poll(() => tries).toBeGreaterThan(0)
    await expect.poll(pending).toBe(0)
    const calls: string[] = []
    page.on('request', (request) => {
      const { pathname } = new URL(request.url())
      if (/^\/(api|healthz)/.test(pathname) && !pathname.endsWith('/stream')) calls.push(pathname)
    })
    for (let n = 0; n < 30; n += 1) {
      await page.clock.runFor(10_000)
      // An answer takes no time of the page's clock.
      await expect.poll(pending).toBe(0)
    }
    expect(tries).toBeGreaterThan(3)
    expect(tries).toBeLessThan(15)
    expect(calls.filter((path) => !path.endsWith('/alerts'))).toEqual([])
    await expect(page.getByText('Connection lost')).toHaveCount(0)
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
  await expect(rowOf(page, 'Tenants', 'Steady Uno')).toBeVisible()

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
  await expect(total).not.toHaveText(before)
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
  const pending = pendingRequests(page)
  await page.clock.install()
  await openLive(page, '/')
  let calls = 0
  page.on('request', (request) => (calls += request.url().includes('/api/') ? 1 : 0))
  await page.clock.runFor(60_000)
  await expect.poll(() => calls).toBeGreaterThan(0)
  await page.clock.fastForward(31 * 60_000)
  await page.clock.runFor(60_000)
  // The tab has given up the stream.
  await expect.poll(pending).toBe(0)
  calls = 0
  await page.clock.runFor(5 * 60_000)
  expect(calls).toBe(0)
  const answer = page.waitForResponse((response) => response.url().includes('/events/stream'))
  await page.mouse.move(200, 200)
  await answer
})
