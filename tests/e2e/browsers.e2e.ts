import type { Page } from '@playwright/test'
import { axeFindings, callApi, expect, expectAccessible, openSession, signInHere, test } from './fixtures.ts'
import { figure, part } from './dashboard-parts.ts'
import { makeTask, row as taskRow, runNow } from './task-records.ts'
import { chooseAction, keyRows, makeKey, makeTenant } from './tenant-keys.ts'

// Browsers and computers that get in the way of the console: no storage, a blocker, a wrong clock, a password manager.

const HOUR_MS = 3_600_000

const forbid = (name: string) =>
  `Object.defineProperty(window, '${name}', { get() { throw new DOMException('Access is denied.', 'SecurityError') } })`
for (const [storage, block] of [
  ['local storage', forbid('localStorage')],
  ['session storage', forbid('sessionStorage')],
  ['space in the storage', `Storage.prototype.setItem = () => { throw new DOMException('', 'QuotaExceededError') }`],
] as const) {
  test(`without ${storage} the console says what it needs`, async ({ page }) => {
    await page.addInitScript(block)
    for (const [path, colorScheme] of [
      ['/login', 'light'],
      ['/tenants', 'dark'],
    ] as const) {
      await page.emulateMedia({ colorScheme })
      await page.goto(path)
      await expect(page.getByRole('heading')).toHaveText(
        "This console needs the browser's storage. Allow this site to store data, then reload the page.",
      )
      expect(await axeFindings(page, colorScheme)).toEqual([])
    }
  })
}

/** Blocks the calls of a path like an ad blocker, which the browser logs. */
async function blockCalls(page: Page, path: RegExp): Promise<void> {
  await page.route(path, (route) => route.abort('blockedbyclient'))
}
/** A call that gets no answer is tried again after 1, 2 and 4 seconds. Here these waits take a twentieth of the time. */
async function hurryRetries(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const later = window.setTimeout.bind(window)
    Object.assign(window, {
      setTimeout: (run: TimerHandler, ms = 0, ...values: unknown[]) =>
        later(run, ms >= 1_000 ? ms / 20 : ms, ...values),
    })
  })
}
const BLOCKED = 'The server is up, but this call got no answer. A blocker in the browser may have stopped it.'

test.describe('a call that a blocker stops', () => {
  test.beforeEach(async ({ page, problems }) => {
    problems.expected.push(/ERR_BLOCKED_BY_CLIENT/)
    await hurryRetries(page)
  })

  test('does not affect the other parts of the dashboard', async ({ signedIn: page }) => {
    await makeTenant(page, 'Blocked Dashboard')
    await blockCalls(page, /\/analytics\/(users|tenants)$/)
    await page.goto('/')
    await expect(part(page, 'Needs attention').getByRole('listitem').first()).toBeVisible()
    await expect(part(page, 'Calls').getByRole('listitem')).toHaveText([/accepted/, /refused/])
    // The error appears after the retries.
    for (const title of ['User Management Overview', 'Client/Tenant Analysis']) {
      await expect(part(page, title).getByRole('alert')).toContainText('These figures could not be loaded')
      await expect(part(page, title).getByRole('alert')).toContainText(BLOCKED)
    }
    await expectAccessible(page)
    await page.unrouteAll()
    await part(page, 'User Management Overview').getByRole('button', { name: 'Try Again' }).click()
    await expect(figure(page, 'Total Users')).toBeVisible()
    await expect(part(page, 'Client/Tenant Analysis').getByRole('alert')).toBeVisible()
  })

  for (const [blocked, path, failed] of [
    ['calls', /\/tenants\/[^/]+\/calls/, 'Calls'],
    ['activity', /\/audit\?/, 'Activity'],
    ['notes', /\/tenants\/[^/]+\/notes/, 'Notes'],
  ] as const) {
    test(`does not affect the other parts of the page of a tenant (${blocked})`, async ({ signedIn: page }) => {
      const name = `Blocked ${blocked}`
      const id = await makeTenant(page, name)
      await blockCalls(page, path)
      await page.goto(`/tenants/${id}`)
      await expect(page.getByRole('heading', { name })).toBeVisible()
      await expect(page.getByRole('button', { name: `Copy the ID of ${name}` })).toBeVisible()
      await expect(part(page, failed).getByRole('alert')).toContainText(BLOCKED)
      await expect(page.getByRole('alert')).toHaveCount(1)
    })
  }

  for (const [blocked, path] of [
    ['health', /\/tenants\/[^/]+\/health/],
    ['attention', /\/analytics\/attention/],
  ] as const) {
    test(`leaves the page of a tenant only without its ${blocked}`, async ({ signedIn: page }) => {
      const name = `Blocked ${blocked}`
      const id = await makeTenant(page, name)
      await blockCalls(page, path)
      await page.goto(`/tenants/${id}`)
      await expect(page.getByRole('button', { name: `Copy the ID of ${name}` })).toBeVisible()
      await expect(page.getByText(`The state is unknown. (${BLOCKED})`)).toBeVisible()
    })
  }

  for (const [blocked, path, failed, other] of [
    ['runs', /\/tasks\/[^/]+\/runs/, 'Runs', 'Reviews'],
    ['reviews', /\/tasks\/[^/]+\/reviews/, 'Reviews', 'Rating history'],
    ['ratings', /\/tenants\/[^/]+\/ratings/, 'Rating history', 'Reviews'],
  ] as const) {
    test(`does not affect the other parts of the page of a task (${blocked})`, async ({ signedIn: page }) => {
      const id = await makeTask(page, `Blocked ${blocked} Bakery`)
      await runNow(page, id)
      await blockCalls(page, path)
      await page.goto(`/tasks/${id}`)
      await expect(part(page, failed).getByRole('alert')).toContainText(BLOCKED)
      await expect(part(page, other).getByRole('alert')).toHaveCount(0)
      await expect(page.getByRole('button', { name: 'Edit' })).toBeVisible()
    })
  }

  for (const [address, path, failed, other] of [
    ['/settings/sessions', /\/auth\/sessions/, 'Sessions', undefined],
    ['/settings/security', /\/auth\/sign-ins/, 'Recent sign-ins', 'Second factors'],
    ['/settings/security', /\/auth\/second-factors/, 'Second factors', 'Recent sign-ins'],
    ['/settings/team', /\/admin\/invitations/, 'Pending invitations', undefined],
    ['/advanced-settings', /\/prompts\/templates\/[^/]+\/versions/, 'History', undefined],
  ] as const) {
    test(`does not affect the other parts of ${address} (${failed})`, async ({ signedIn: page }) => {
      await blockCalls(page, path)
      await page.goto(address)
      await expect(part(page, failed).getByRole('alert')).toContainText(BLOCKED)
      await expect(page.getByRole('alert')).toHaveCount(1)
      if (other !== undefined) await expect(part(page, other)).toBeVisible()
    })
  }
})

test.describe('on a computer whose clock is days ahead', () => {
  const AHEAD_MS = 53 * HOUR_MS
  test.beforeEach(async ({ signedIn: page }) => {
    await page.clock.install({ time: Date.now() + AHEAD_MS })
  })

  test('the state of a key follows the clock of the server', async ({ signedIn: page }) => {
    const tenant = await makeTenant(page, 'Clock Works')
    const expires_at = new Date(Date.now() + 30 * HOUR_MS).toISOString()
    await makeKey(page, tenant, { name: 'Soon ending', expires_at })
    await page.goto('/keys?view=all&q=Clock')
    await expect(keyRows(page, 'Soon ending').getByText('Active', { exact: true })).toBeVisible()
    await page.goto(`/tenants/${tenant}`)
    await expect(part(page, 'Activity').getByText('just now').first()).toBeVisible()
  })

  test('figures show the time of the server', async ({ signedIn: page }) => {
    await page.goto('/')
    const minutes = [-1, 0, 1].map((more) => new Date(Date.now() + more * 60_000).toISOString().slice(11, 16))
    await expect(page.getByText(/^Updated /).first()).toHaveText(new RegExp(`^Updated (${minutes.join('|')})$`))
  })

  test('a task runs now, and is not late', async ({ signedIn: page }) => {
    await makeTask(page, 'Clock Bakery', { frequency: 'daily' })
    await page.goto('/tasks?q=Clock+Bakery')
    await expect(taskRow(page, 'Clock Bakery')).toContainText('On schedule')
    await chooseAction(taskRow(page, 'Clock Bakery'), 'Run task now')
    await expect(page.getByText('Task "Pull Google Review" executed successfully!')).toBeVisible()
  })
})

test('the well-known address of password managers opens the password form', async ({ page, context }) => {
  await page.goto('/.well-known/change-password')
  await expect(page).toHaveURL(/\/login\?/)
  await signInHere(page)
  await expect(page).toHaveURL('/settings#change-password')
  await expect(part(page, 'Change Password').getByLabel('Current password')).toBeInViewport()

  const phone = await context.newPage()
  await phone.setViewportSize({ width: 390, height: 500 })
  await openSession(phone)
  await phone.goto('/.well-known/change-password')
  await expect(part(phone, 'Change Password').getByLabel('Current password')).toBeInViewport()
  expect(await callApi(phone, 'GET', 'auth/me')).toBeTruthy()
})

test('at an IP address, Security says where a passkey can be added', async ({ signedIn: page, server }) => {
  const { port } = new URL(server.url)
  await page.goto('/settings/security')
  await expect(page.getByRole('button', { name: 'Add Passkey' })).toBeVisible()
  await expect(page.getByText(/^Passkeys need/)).toHaveCount(0)

  const token = await page.evaluate(() => localStorage.getItem('admin_token'))
  await page.goto(`http://127.0.0.1:${port}/favicon.svg`)
  await page.evaluate((value) => localStorage.setItem('admin_token', String(value)), token)
  await page.goto(`http://127.0.0.1:${port}/settings/security`)
  await expect(page.getByText(`Passkeys need a host name. Open http://localhost:${port} to add one.`)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Add Passkey' })).toHaveCount(0)
  await expectAccessible(page)
})
