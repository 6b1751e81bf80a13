import type { Page } from '@playwright/test'
import { ERROR_SHOWN_MS } from '@switchboard/contract/account'
import { listNewSignIns } from '@switchboard/contract/auth/sign-ins'
import { callApi, expect, expectAccessible, expectNoSidewaysScroll, test } from './fixtures.ts'
import { EMAIL, PASSWORD } from './server.ts'
import { rowOf } from './tables.ts'

const NEW_PASSWORD = 'seven sisters walk at dusk'

const part = (page: Page, name: string) => page.getByRole('region', { name })
const field = (page: Page, name: string) => page.getByLabel(name, { exact: true })

const newSignIns = listNewSignIns.schema.response[200]

/** A second session of the same admin, as from another browser. */
async function signInElsewhere(page: Page, userAgent: string): Promise<string> {
  const answer = await page.request.post('/api/v1/admin/auth/login', {
    data: { email: EMAIL, password: PASSWORD },
    headers: { 'user-agent': userAgent },
  })
  // The notices of new browsers would cover the pages of later stories.
  for (const { id } of newSignIns.parse(await callApi(page, 'GET', 'auth/sign-ins/new')))
    await callApi(page, 'DELETE', `auth/sign-ins/new/${id}`)
  return (await answer.json()).access_token
}

async function isAlive(page: Page, token: string): Promise<boolean> {
  const answer = await page.request.get('/api/v1/admin/auth/me', { headers: { authorization: `Bearer ${token}` } })
  return answer.ok()
}

test('the page shows the account, and axe finds nothing in either theme, wide and narrow', async ({
  onDashboard: page,
}) => {
  await page.getByRole('complementary').getByRole('link', { name: 'Settings' }).click()
  await expect(page).toHaveTitle('Admin Settings · Switchboard')
  await expect(part(page, 'Profile Information').getByLabel('Email')).toHaveValue(EMAIL)
  await expect(part(page, 'Profile Information').getByLabel('Role')).toHaveAttribute('readonly')
  const account = part(page, 'Account Information')
  await expect(account).toContainText(/[0-9a-f]{8}-[0-9a-f]{4}/)
  await expect(account).toContainText('Active')
  await expect(account).toContainText(/[A-Z][a-z]+ \d{1,2}, 20\d\d at \d{1,2}:\d\d:\d\d/)
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 })
    await expectAccessible(page)
    await expectNoSidewaysScroll(page, 360)
  }
})

test('an unchanged address is reported for three seconds, a changed address appears in the sidebar at once', async ({
  signedIn: page,
}) => {
  await page.clock.install()
  await page.goto('/settings')
  const profile = part(page, 'Profile Information')
  const save = profile.getByRole('button', { name: 'Save Changes' })
  const places = async () => [await save.boundingBox(), await part(page, 'Change Password').boundingBox()]
  const before = await places()
  await save.click()
  await expect(profile.getByRole('alert')).toHaveText('No changes to save')
  // The message has reserved space, so that the layout does not shift.
  expect(await places()).toEqual(before)
  await expectAccessible(page)
  await page.clock.runFor(ERROR_SHOWN_MS)
  await expect(profile.getByRole('alert')).toHaveCount(0, { timeout: 4_500 })

  try {
    await profile.getByLabel('Email').fill('ada.new@switchboard.example')
    await profile.getByLabel('Confirm with your password').fill(PASSWORD)
    await save.click()
    await expect(profile.getByText('Profile updated successfully!')).toBeVisible()
    await expect(page.getByRole('complementary').getByText('ada.new@switchboard.example')).toBeVisible()
    await expectAccessible(page)
  } finally {
    await callApi(page, 'PUT', 'auth/profile', { email: EMAIL, current_password: PASSWORD })
  }
})

test('a changed name needs no password, and Team and Activity show it', async ({ signedIn: page }) => {
  await page.goto('/settings')
  const profile = part(page, 'Profile Information')
  try {
    await profile.getByLabel('Name').fill('Ada Farrowby')
    await expect(profile.getByLabel('Confirm with your password')).toHaveCount(0)
    await profile.getByRole('button', { name: 'Save Changes' }).click()
    await expect(profile.getByText('Profile updated successfully!')).toBeVisible()
    await page.goto('/settings/team')
    await expect(page.getByRole('row').filter({ hasText: EMAIL })).toContainText(`Ada Farrowby ${EMAIL}You`)
    await page.goto('/settings/activity')
    await expect(rowOf(page, 'Activity', `Ada Farrowby ${EMAIL}`).first()).toBeVisible()
    await expectAccessible(page)
  } finally {
    await callApi(page, 'PUT', 'auth/profile', { name: null })
  }
})

test('an address in use is reported, and the typed text stays', async ({ signedIn: page, problems }) => {
  problems.expected.push(/status of 409/)
  await page.goto('/settings')
  const profile = part(page, 'Profile Information')
  await page.route('**/auth/profile', (route) =>
    route.fulfill({ status: 409, json: { detail: 'This email address is already in use.' } }),
  )
  await profile.getByLabel('Email').fill('taken@example.com')
  await profile.getByLabel('Confirm with your password').fill(PASSWORD)
  await page.keyboard.press('Enter')
  await expect(profile.getByRole('alert')).toHaveText('This email address is already in use.')
  await expect(profile.getByLabel('Email')).toHaveValue('taken@example.com')
})

test('the pressed button keeps the focus while the form is sent and refused', async ({ signedIn: page, problems }) => {
  problems.expected.push(/status of 409/)
  await page.goto('/settings')
  const profile = part(page, 'Profile Information')
  const save = profile.getByRole('button', { name: 'Save Changes' })
  const answer = Promise.withResolvers<void>()
  await page.route('**/auth/profile', async (route) => {
    await answer.promise
    await route.fulfill({ status: 409, json: { detail: 'This email address is already in use.' } })
  })
  await profile.getByLabel('Email').fill('taken@example.com')
  await profile.getByLabel('Confirm with your password').fill(PASSWORD)
  await save.focus()
  await page.keyboard.press('Enter')
  await expect(save).toBeDisabled()
  // By then the browser has released the element.
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
  answer.resolve()
  await expect(profile.getByRole('alert')).toHaveText('This email address is already in use.')
  await expect(save).toBeFocused()
})

test('a changed address asks for the password beside its field, wide and narrow, in both themes', async ({
  signedIn: page,
  problems,
}) => {
  problems.expected.push(/status of 400/)
  await page.goto('/settings')
  const profile = part(page, 'Profile Information')
  const password = profile.getByLabel('Confirm with your password')
  const save = profile.getByRole('button', { name: 'Save Changes' })
  await expect(password).toHaveCount(0)
  await profile.getByLabel('Email').fill('later@example.com')
  await save.click()
  await expect(password).toHaveAccessibleDescription('Enter your current password to change your email address.')
  for (const width of [1440, 320]) {
    await page.setViewportSize({ width, height: 900 })
    await expectAccessible(page)
  }
  await password.fill('not the password')
  await save.click()
  await expect(profile.getByRole('alert')).toHaveText('Current password is incorrect')
  await profile.getByLabel('Email').fill(EMAIL)
  await expect(password).toHaveCount(0)
})

test('a refused password is explained by the sentence of its rule', async ({ signedIn: page, problems }) => {
  problems.expected.push(/status of 400/, /status of 422/)
  await page.goto('/settings')
  const form = part(page, 'Change Password')
  const save = form.getByRole('button', { name: 'Update password' })
  const fill = async (current: string, next: string, confirmed: string) => {
    await field(page, 'Current password').fill(current)
    await field(page, 'New password').fill(next)
    await field(page, 'Confirm new password').fill(confirmed)
    await save.click()
  }
  await save.click()
  await expect(form.getByRole('alert')).toHaveText('All fields are required')
  await fill('x', 'one password', 'another password')
  await expect(form.getByRole('alert')).toHaveText('New passwords do not match')
  await fill('x', 'seven77', 'seven77')
  await expect(form.getByRole('alert')).toHaveText('New password must be at least 8 characters long')
  await fill('wrong', NEW_PASSWORD, NEW_PASSWORD)
  await expect(form.getByRole('alert')).toHaveText('Current password is incorrect')
  await expect(field(page, 'New password')).toHaveValue(NEW_PASSWORD)
  await fill('x', 'eleven char', 'eleven char')
  await expect(form.getByRole('alert')).toHaveText('Use at least 12 characters: this account runs the console.')
  await fill(PASSWORD, 'password12345', 'password12345')
  await expect(field(page, 'New password')).toHaveAccessibleDescription(/too common/)
  await expectAccessible(page)
})

test('a new password ends the other sessions and the old token, and every tab continues with the new token', async ({
  signedIn: page,
  context,
}) => {
  const other = await signInElsewhere(page, 'curl/8.5.0')
  const storedToken = () => localStorage.getItem('admin_token')
  const old = (await page.evaluate(storedToken)) ?? ''
  const tab = await context.newPage()
  await tab.goto('/tenants/create')
  await tab.getByLabel('Name').fill('Typed before')
  // A stream that begins during the change would be refused with the old token.
  const stream = page.waitForResponse((answer) => answer.url().includes('/events/stream'))
  await Promise.all([stream, page.goto('/settings')])
  await field(page, 'Current password').fill(PASSWORD)
  await field(page, 'New password').fill(NEW_PASSWORD)
  await field(page, 'Confirm new password').fill(NEW_PASSWORD)
  try {
    await page.keyboard.press('Enter')
    await expect(page.getByText('Password updated successfully!')).toBeVisible()
    await expect(field(page, 'New password')).toHaveValue('')
    expect(await isAlive(page, other)).toBe(false)
    expect(await isAlive(page, old)).toBe(false)
    expect(await isAlive(page, (await tab.evaluate(storedToken)) ?? '')).toBe(true)
    await expect(tab.getByLabel('Name')).toHaveValue('Typed before')
    await tab.getByRole('complementary').getByRole('link', { name: 'Users' }).click()
    await tab.getByRole('dialog').getByRole('button', { name: 'Leave' }).click()
    await expect(tab.getByRole('row').nth(1)).toBeVisible()
    await page.reload()
    await expect(page.getByRole('heading', { name: 'Admin Settings' })).toBeVisible()
  } finally {
    await callApi(page, 'PUT', 'auth/profile', { current_password: NEW_PASSWORD, new_password: PASSWORD })
  }
})

test('sessions are listed with their device; one session is ended, then all others', async ({
  signedIn: page,
  problems,
}) => {
  problems.expected.push(/ERR_FAILED/)
  const curl = await signInElsewhere(page, 'curl/8.5.0')
  const phones = [
    await signInElsewhere(page, 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Safari/604.1'),
    await signInElsewhere(page, '<img src=x onerror="window.hacked=true"> Android'),
  ]
  await page.goto('/settings/sessions')
  const sessions = part(page, 'Sessions')
  const own = sessions.getByRole('listitem').filter({ hasText: 'This session' })
  await expect(own).toContainText('Chrome on Linux')
  await expect(own).toContainText('127.0.0.1')
  await expect(own.getByRole('button')).toHaveCount(0)
  await expect(sessions.getByText('Safari on iPhone')).toBeVisible()
  await expect(sessions.getByText('Unknown browser on Android')).toBeVisible()
  await expectAccessible(page)

  await page.route('**/auth/sessions/*', (route) => route.abort())
  await sessions.getByRole('listitem').filter({ hasText: 'curl' }).getByRole('button').click()
  const notifications = part(page, 'Notifications')
  await expect(notifications).toContainText(
    /^The session of curl.* could not be ended\. \(The server is up, but this call got no answer\. A blocker in the browser may have stopped it\.\)/,
  )
  await page.unroute('**/auth/sessions/*')
  await notifications.getByRole('button', { name: 'Try Again' }).click()
  await expect(sessions.getByText('curl')).toHaveCount(0)
  await expect(sessions.getByRole('list')).toBeFocused()
  expect(await isAlive(page, curl)).toBe(false)
  await sessions.getByRole('button', { name: 'End all others' }).click()
  await expect(sessions.getByRole('listitem')).toHaveCount(1)
  await expect(sessions.getByRole('list')).toBeFocused()
  for (const phone of phones) expect(await isAlive(page, phone)).toBe(false)
  await expect(own).toBeVisible()
})

test('sessions that cannot be loaded show the reason and can be retried', async ({ signedIn: page, problems }) => {
  problems.expected.push(/status of 409/)
  await page.route('**/auth/sessions', (route) => route.fulfill({ status: 409, json: { detail: 'Not now.' } }))
  await page.goto('/settings/sessions')
  await expect(page.getByText('Not now.')).toBeVisible()
  await page.unroute('**/auth/sessions')
  await page.getByRole('button', { name: 'Try Again' }).click()
  await expect(page.getByText('This session')).toBeVisible()
})
