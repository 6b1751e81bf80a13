import type { Page } from '@playwright/test'
import {
  callApi,
  endSessionUnder,
  expect,
  expectAccessible,
  expectNoSidewaysScroll,
  refuseStream,
  signInHere,
  test,
} from './fixtures.ts'
import { chooseAction, makeTenant, makeUser } from './tenant-keys.ts'
import { rowOf } from './tables.ts'

const notifications = (page: Page) => page.getByRole('region', { name: 'Notifications' })
const undo = (page: Page) => notifications(page).getByRole('button', { name: 'Undo' })
const row = (page: Page, text: string) => rowOf(page, 'Users', text)
const status = (page: Page, email: string, text: 'Active' | 'Inactive') =>
  row(page, email).getByText(text, { exact: true })

/** An active user of a new tenant, the only one on the list of users. */
async function showUser(page: Page, name: string): Promise<string> {
  const email = `${name}@example.com`
  const tenant_id = await makeTenant(page, `Undo ${name}`)
  await makeUser(page, tenant_id, email)
  await page.goto(`/users?q=${name}`)
  await expect(row(page, email)).toBeVisible()
  return email
}

/** The requests that change users. */
function changesOf(page: Page): string[] {
  const bodies: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/toggle')) bodies.push(request.postData() ?? '')
  })
  return bodies
}

test('a toggle says what it did and is undone once, with the focus back on its row', async ({ onDashboard: page }) => {
  const email = await showUser(page, 'undone')
  const changes = changesOf(page)
  await chooseAction(row(page, email), 'Deactivate', email)
  await expect(notifications(page)).toContainText(`${email} was deactivated and cannot sign in to the tenant's portal.`)
  await expect(undo(page)).toHaveAccessibleDescription(
    `${email} was deactivated and cannot sign in to the tenant's portal.`,
  )
  // The timer stops while the pointer is over the notification.
  await undo(page).hover()
  await expectAccessible(page)
  await undo(page).dblclick()
  await expect(notifications(page)).toContainText(`${email} is active again.`)
  await expect(status(page, email, 'Active')).toBeVisible()
  await expect(row(page, email).getByRole('button', { name: `More actions for ${email}` })).toBeFocused()
  await expect(undo(page)).toHaveCount(0)
  expect(changes).toEqual(['{"is_active":false}', '{"is_active":true}'])
  const audit = await callApi(page, 'GET', 'audit?limit=2&action=users.toggle')
  expect(audit).toMatchObject([
    { target_name: email, changed: { is_active: true } },
    { target_name: email, changed: { is_active: false } },
  ])
})

test('Undo disappears after ten seconds, which stop while the pointer or the focus is on it', async ({
  onDashboard: page,
}) => {
  const email = await showUser(page, 'expiring')
  await page.clock.install()
  // A running clock would add the time that the steps take.
  await page.clock.pauseAt(Date.now() + 10_000)
  await chooseAction(row(page, email), 'Deactivate', email)
  await expect(undo(page)).toBeVisible()
  await page.clock.runFor(9_000)
  await expect(undo(page)).toBeVisible()
  await undo(page).hover()
  await page.clock.runFor(20_000)
  await expect(undo(page)).toBeVisible()
  await undo(page).focus()
  await page.mouse.move(5, 5)
  await page.clock.runFor(20_000)
  await expect(undo(page)).toBeVisible()
  await page.getByRole('searchbox').focus()
  await page.clock.runFor(2_000)
  await expect(undo(page)).toHaveCount(0)
  await page.getByRole('heading', { name: 'Users', level: 1 }).focus()
  await page.keyboard.press('z')
  await expect(status(page, email, 'Inactive')).toBeVisible()
})

for (const key of ['z', 'Control+z']) {
  test(`${key} undoes the newest change outside of fields`, async ({ onDashboard: page }) => {
    const email = await showUser(page, key === 'z' ? 'by-key' : 'by-keys')
    const more = row(page, email).getByRole('button', { name: `More actions for ${email}` })
    await chooseAction(row(page, email), 'Deactivate')
    // The timer stops while the pointer is over the notification.
    await undo(page).hover()
    await page.getByRole('searchbox').focus()
    await page.keyboard.press(key)
    await expect(undo(page)).toBeVisible()
    await page.getByRole('searchbox').fill(email)
    // The typed Z may have searched too. Its empty list would take the focus.
    await expect(page).toHaveURL(({ searchParams }) => searchParams.get('q') === email)
    await expect(page.getByRole('table', { name: 'Users' })).toHaveAttribute('aria-busy', 'false')
    await more.focus()
    // A held key repeats. Each repetition would undo one more change.
    await more.dispatchEvent('keydown', { key: 'z', code: 'KeyZ', ctrlKey: key !== 'z', repeat: true })
    await expect(undo(page)).toHaveText('Undo')
    await page.keyboard.press(key)
    await expect(notifications(page)).toContainText(`${email} is active again.`)
    await expect(status(page, email, 'Active')).toBeVisible()
    await expect(more).toBeFocused()
  })
}

test('the shortcut is listed', async ({ onDashboard: page }) => {
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog')).toContainText('Undo the last change')
})

test('a newer change of the same record replaces the notification', async ({ onDashboard: page }) => {
  const email = await showUser(page, 'replaced')
  await chooseAction(row(page, email), 'Deactivate', email)
  await expect(notifications(page)).toContainText('was deactivated')
  await chooseAction(row(page, email), 'Activate', email)
  await expect(notifications(page)).toContainText('was activated')
  await expect(undo(page)).toHaveCount(1)
})

test('without the server, Undo says what was not undone and can be tried again', async ({
  onDashboard: page,
  problems,
}) => {
  problems.expected.push(/ERR_FAILED/)
  const email = await showUser(page, 'severed')
  await chooseAction(row(page, email), 'Deactivate', email)
  await expect(undo(page)).toBeVisible()
  await page.route('**/toggle', (route) => route.abort())
  await undo(page).click()
  await expect(notifications(page)).toContainText(
    `Not undone: ${email} was deactivated and cannot sign in to the tenant's portal. (The server is up, but this call got no answer. A blocker in the browser may have stopped it.)`,
  )
  await expect(status(page, email, 'Inactive')).toBeVisible()
  await page.unroute('**/toggle')
  await notifications(page).getByRole('button', { name: 'Try Again' }).click()
  await expect(notifications(page)).toContainText(`${email} is active again.`)
  await expect(status(page, email, 'Active')).toBeVisible()
})

test('when the session has ended, Undo changes nothing and asks to sign in', async ({
  onDashboard: page,
  problems,
}) => {
  problems.expected.push(/status of 403/, /status of 401/)
  // The stream would leave the screen before the call.
  await refuseStream(page)
  const email = await showUser(page, 'signed-off')
  await chooseAction(row(page, email), 'Deactivate', email)
  await expect(undo(page)).toBeVisible()
  // With the call itself: another call of the page would end the session before the click.
  await endSessionUnder(page, '**/toggle')
  await undo(page).click()
  await expect(page).toHaveURL(/\/login/)
  await signInHere(page)
  await expect(status(page, email, 'Inactive')).toBeVisible()
  await expect(undo(page)).toHaveCount(0)
})

test('a failed toggle is rolled back, keeps the focus and offers another try', async ({
  onDashboard: page,
  problems,
}) => {
  problems.expected.push(/ERR_FAILED/)
  const email = await showUser(page, 'retried')
  await page.route('**/toggle', (route) => route.abort())
  await chooseAction(row(page, email), 'Deactivate')
  await expect(notifications(page)).toContainText(
    `${email} could not be deactivated. (The server is up, but this call got no answer. A blocker in the browser may have stopped it.)`,
  )
  await expect(row(page, email).getByRole('button', { name: `More actions for ${email}` })).toBeFocused()
  await expect(status(page, email, 'Active')).toBeVisible()
  await page.unroute('**/toggle')
  await notifications(page).getByRole('button', { name: 'Try Again' }).click()
  await expect(status(page, email, 'Inactive')).toBeVisible()
  await expect(notifications(page)).toContainText('was deactivated')
})

for (const width of [390, 320]) {
  test(`at ${width} pixels the notification fits, and axe finds nothing`, async ({ onDashboard: page }) => {
    const email = await showUser(page, `narrow-${width}-${'w'.repeat(40)}`)
    await page.setViewportSize({ width, height: 700 })
    await page.getByRole('button', { name: `More actions for ${email}` }).click()
    await page.getByRole('button', { name: 'Deactivate' }).click()
    await expect(undo(page)).toBeInViewport({ ratio: 1 })
    await undo(page).focus()
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
    await page.emulateMedia({ forcedColors: 'active' })
    await expect(undo(page)).toBeVisible()
  })
}

test('a deleted user and a task of a bulk deletion come back by Undo', async ({ signedIn: page }) => {
  const email = await showUser(page, 'restored')
  await chooseAction(row(page, email), 'Delete', email)
  const confirm = page.getByRole('dialog')
  await expect(confirm).toContainText('You can undo this for 10 seconds.')
  await confirm.getByRole('button', { name: 'Delete' }).click()
  await expect(row(page, email)).toHaveCount(0)
  await undo(page).click()
  await expect(notifications(page)).toContainText(`${email} was restored.`)
  await expect(row(page, email)).toBeVisible()

  const tenant_id = await makeTenant(page, 'Undo Bakery')
  const place = {
    schedule_name: 'pull_google_review',
    frequency: 'daily',
    extra_data: { place_id: 'ChIJundoBakery00' },
  }
  await callApi(page, 'POST', 'tasks/schedule', { tenant_id, ...place })
  await page.goto('/tasks?q=Undo+Bakery')
  const task = rowOf(page, 'Tasks', 'Undo Bakery')
  await task.getByRole('checkbox').check()
  await page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: 'Delete' }).click()
  await confirm.getByRole('button', { name: 'Delete' }).click()
  await expect(task).toHaveCount(0)
  await undo(page).click()
  await expect(notifications(page)).toContainText('1 task was restored.')
  await expect(task).toBeVisible()
})
