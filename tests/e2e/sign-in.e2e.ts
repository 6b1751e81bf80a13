import { login } from '@switchboard/contract/auth'
import { scriptWith } from './console-scripts.ts'
import {
  endSession,
  endSessionUnder,
  expect,
  expectAccessible,
  refuseStream,
  signIn,
  signInHere,
  test,
} from './fixtures.ts'
import { holdAnswers } from './held-answers.ts'
import { EMAIL, PASSWORD } from './server.ts'
import { fillSignInForm } from './sign-in-form.ts'
import { makeTenant } from './tenant-keys.ts'

const REFUSED = /status of 401/
const token = () => localStorage.getItem('admin_token')

test('a signed-out visitor signs in and reaches the requested page', async ({ page }) => {
  await page.goto('/tenants?status=inactive&sort=name')
  await expect(page).toHaveURL(/\/login\?redirect=/)
  await expect(page).toHaveTitle('Sign in · Switchboard')
  await expect(page.getByText('Admin console')).toBeVisible()
  await page.getByLabel('Email').fill(EMAIL)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.keyboard.press('Enter')

  await expect(page.getByRole('heading', { name: 'Tenants', exact: true })).toBeVisible()
  await expect(page).toHaveURL('/tenants?status=inactive&sort=name')
  expect(await page.evaluate(token)).toMatch(/^[\w-]{43}$/)
})

test('a failed sign-in shows one message in the form, and the typed text stays', async ({ page, problems }) => {
  problems.expected.push(REFUSED)
  await page.goto('/login')
  for (const [email, password] of [
    [EMAIL, 'wrong password'],
    ['nobody@example.com', PASSWORD],
    ['jörg@bücher.example', PASSWORD],
  ] as const) {
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Password', { exact: true }).fill(password)
    const answered = page.waitForResponse('**/auth/login')
    await page.getByRole('button', { name: 'Sign In', exact: true }).click()
    expect((await answered).status()).toBe(401)
    await expect(page.getByRole('alert')).toHaveText('Invalid email or password')
    await expect(page.getByLabel('Email')).toHaveValue(email)
  }
  await expectAccessible(page)
  expect(await page.evaluate(token)).toBeNull()
})

test('too many failed sign-ins show when to try again', async ({ page, problems }) => {
  problems.expected.push(/status of 429/)
  const email = 'throttled@example.com'
  // Within a minute of the last one: the 15 minutes begin with the first.
  for (let attempt = 1; attempt <= 10; attempt += 1) {
    const data = { email, password: `guess ${attempt}` }
    expect((await page.request.post(login.url, { data })).status()).toBe(401)
  }
  await page.goto('/login')
  await fillSignInForm(page, email, 'guess 11')
  await expect(page.getByRole('alert')).toHaveText('Too many sign-in attempts. Try again in 15 minutes.')
})

test('the form does not jump while another attempt runs', async ({ page, problems }) => {
  problems.expected.push(REFUSED)
  await page.goto('/login')
  await page.getByLabel('Email').fill('nobody@example.com')
  await page.getByLabel('Password', { exact: true }).fill('a first guess')
  await page.keyboard.press('Enter')
  const alert = page.getByRole('alert')
  await expect(alert).toHaveText('Invalid email or password')
  const before = await page.getByLabel('Email').boundingBox()

  const answer = Promise.withResolvers<void>()
  await page.route('**/auth/login', async (route) => {
    await answer.promise
    await route.continue()
  })
  const first = await alert.elementHandle()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Sign In', exact: true })).toBeDisabled()
  expect(await page.getByLabel('Email').boundingBox()).toEqual(before)
  answer.resolve()
  await expect(page.getByRole('button', { name: 'Sign In', exact: true })).toBeEnabled()
  await expect(alert).toHaveText('Invalid email or password')
  // A new element, so that screen readers announce the message again.
  expect(await first?.evaluate((element) => element.isConnected)).toBe(false)
})

test('empty fields are refused by the browser, and the password can be shown', async ({ page }) => {
  let calls = 0
  page.on('request', (request) => (calls += request.url().includes('/api/') ? 1 : 0))
  await page.goto('/login')
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
  await expect(page.getByLabel('Email')).toBeFocused()
  expect(calls).toBe(0)

  const password = page.getByLabel('Password', { exact: true })
  await password.fill('secret')
  await page.getByRole('button', { name: 'Show password' }).click()
  await expect(password).toHaveAttribute('type', 'text')
  await expect(password).toHaveAttribute('autocomplete', 'current-password')
})

test('a signed-in admin is redirected from /login', async ({ signedIn: page }) => {
  await page.goto('/login')
  await expect(page).toHaveURL('/')
})

test('a redirect after the sign-in stays in this console', async ({ page }) => {
  for (const elsewhere of ['https://evil.example/', '//evil.example', '/\\evil.example', 'javascript:alert(1)']) {
    await page.goto(`/login?redirect=${encodeURIComponent(elsewhere)}`)
    await signInHere(page)
    await expect(page).toHaveURL('/')
    await page.getByRole('button', { name: 'Sign out' }).click()
    await expect(page).toHaveURL(/\/login/)
  }
})

test('pending fetches of a page are dropped after signing out', async ({ page }) => {
  const code = Promise.withResolvers<void>()
  // The loader of /users waits for this code, which the first page does not load.
  const held = scriptWith('useToggleUser')
  await page.route(held, async (route) => {
    await code.promise
    await route.continue()
  })
  // From the start: the pointer may rest on a new link, which prefetches its list.
  const begun = page.waitForRequest(held)
  const arrived = page.waitForResponse(held)
  const sent: string[] = []
  page.on('request', (request) => sent.push(new URL(request.url()).pathname))
  await signIn(page)
  await page.getByRole('link', { name: 'Users', exact: true }).click()
  await begun
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(page).toHaveURL(/\/login/)
  code.resolve()
  await (await arrived).finished()
  // Time for unexpected requests.
  await page.waitForLoadState('networkidle')
  expect(sent).toContain('/api/v1/admin/auth/logout')
  expect(sent).not.toContain('/api/v1/admin/tenant-admins')
})

test('a stale token is silently dropped at the start', async ({ page, problems }) => {
  problems.expected.push(REFUSED)
  await page.goto('/login')
  await page.evaluate(() => localStorage.setItem('admin_token', 'x'.repeat(43)))
  await page.goto('/tenants')
  await expect(page).toHaveURL(/\/login/)
  await expect(page.getByRole('alert')).toHaveCount(0)
  await expect(page.getByText('Your session has ended')).toHaveCount(0)
  expect(await page.evaluate(token)).toBeNull()
})

test('a stale token refused by the calls of a page first leads to /login too', async ({ page, problems }) => {
  problems.expected.push(/status of 401/)
  await page.goto('/login')
  await page.evaluate(() => localStorage.setItem('admin_token', 'stale'))
  const refused = page.waitForResponse('**/analytics/**')
  await page.route('**/auth/me', async (route) => {
    await refused
    await route.continue()
  })
  await page.goto('/')
  await expect(page.getByRole('button', { name: 'Sign In', exact: true })).toBeVisible()
  await expect(page).toHaveURL('/login?redirect=%2F')
})

test('while the session is unknown, the page says Loading; without the server, it shows the error and retries', async ({
  page,
  problems,
}) => {
  problems.expected.push(/Failed to load resource/, /The server is up, but this call got no answer/)
  await signIn(page)
  const release = await holdAnswers(page, '**/auth/me')
  await page.goto('/tenants')
  await expect(page.getByText('Loading', { exact: true })).toBeVisible()
  release()
  await expect(page.getByRole('heading', { name: 'Tenants', exact: true })).toBeVisible()

  await page.route('**/auth/me', (route) => route.abort())
  await page.reload()
  await expect(page.getByRole('button', { name: 'Try Again' })).toBeVisible()
  await expectAccessible(page)
  expect(await page.evaluate(token)).not.toBeNull()
  await page.unroute('**/auth/me')
  await page.getByRole('button', { name: 'Try Again' }).click()
  await expect(page.getByRole('heading', { name: 'Tenants', exact: true })).toBeVisible()
})

test('a server that is busy for a moment delays the first page, and breaks nothing', async ({
  signedIn: page,
  problems,
}) => {
  problems.expected.push(/status of 503/)
  const detail = 'The server is busy. Try again in a moment.'
  let calls = 0
  await page.route('**/auth/me', async (route) => {
    calls += 1
    await (calls < 3
      ? route.fulfill({ status: 503, headers: { 'retry-after': '2' }, json: { detail } })
      : route.continue())
  })
  await page.goto('/tenants')
  await expect(page.getByRole('heading', { name: 'Tenants', exact: true })).toBeVisible()
  expect(calls).toBe(3)
})

test('signing out ends the session on the server, here and in every other tab', async ({
  onDashboard: page,
  context,
}) => {
  const other = await context.newPage()
  await other.goto('/tenants')
  await expect(other.getByRole('heading', { name: 'Tenants', exact: true })).toBeVisible()
  const used = await page.evaluate(token)
  // The console does not wait for the answer.
  const signedOut = page.waitForResponse('**/auth/logout')

  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(page).toHaveURL(/\/login/)
  await signedOut
  await expect(other).toHaveURL(/\/login/)
  const answer = await page.request.get('/api/v1/admin/auth/me', { headers: { authorization: `Bearer ${used}` } })
  expect(answer.status()).toBe(401)
  expect(await page.evaluate(() => Object.keys(localStorage).filter((key) => key === 'admin_token'))).toEqual([])
})

test('signing out works when the server cannot be reached', async ({ onDashboard: page, problems }) => {
  problems.expected.push(/Failed to load resource/)
  await page.route('**/auth/logout', (route) => route.abort())
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(page).toHaveURL(/\/login/)
  expect(await page.evaluate(token)).toBeNull()
})

test('an expired session leads to /login once, with a notice and the way back', async ({
  signedIn: page,
  problems,
}) => {
  problems.expected.push(/status of 403/, REFUSED)
  // The stream would leave the screen before the call.
  await refuseStream(page)
  await makeTenant(page, 'Seen', { subdomain: 'seen-at-the-end' })
  await page.goto('/tenants')
  await expect(page.getByRole('link', { name: 'Seen', exact: true })).toBeVisible()
  let logins = 0
  page.on('framenavigated', (frame) => (logins += frame.url().includes('/login') ? 1 : 0))
  // With the call itself: another call of the page would end the session before the click.
  await endSessionUnder(
    page,
    ({ pathname, searchParams }) => pathname.endsWith('/tenants') && searchParams.get('sort') === 'subdomain',
  )
  await page.getByRole('button', { name: 'Subdomain' }).click()

  await expect(page.getByText('Your session has ended. Sign in again.')).toBeVisible()
  expect(new URL(page.url()).searchParams.get('redirect')).toContain('/tenants')
  await expect(page.getByLabel('Email')).toHaveValue(EMAIL)
  await expect(page.getByLabel('Password', { exact: true })).toBeFocused()
  await signInHere(page)
  await expect(page).toHaveURL(/\/tenants\?.*sort=subdomain/)
  expect(logins).toBe(1)
})

test('after a sign-out nothing leads back to the previous page, not even Back', async ({ onDashboard: page }) => {
  await page.goto('/settings')
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(page).toHaveURL('/login')
  await page.goBack()
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  await expect(page).toHaveURL('/login')
  await signInHere(page)
  await expect(page).toHaveURL('/')
})

test('after an expired session another person starts at the first page', async ({ signedIn: page, problems }) => {
  problems.expected.push(REFUSED)
  await page.goto('/settings')
  await endSession(page)
  await expect(page).toHaveURL(/\/login\?redirect=%2Fsettings/)
  // The same account counts as another person after this change of the remembered id.
  await page.evaluate(() => localStorage.setItem('last_admin', '00000000-0000-4000-8000-000000000000'))
  await page.reload()
  await signInHere(page)
  await expect(page).toHaveURL('/')
})
