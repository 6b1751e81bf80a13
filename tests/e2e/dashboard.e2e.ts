import type { Page } from '@playwright/test'
import { figure, part } from './dashboard-parts.ts'
import { callApi, expect, expectAccessible, expectNoSidewaysScroll, refuseStream, testAlone } from './fixtures.ts'
import { makeTask } from './task-records.ts'
import { chooseListAction, expectTotal, filterChip } from './tables.ts'
import { keyRows, makeKey, makeTenant, makeUser, secretOf } from './tenant-keys.ts'

// Parts of the dashboard show only the first few records, which other stories would displace.
const test = testAlone()

const FIGURES = [
  'Total Users',
  'Active Users',
  'Admins',
  'New Users \\(30d\\)',
  'Total Tenants',
  'Active Tenants',
  'New Tenants \\(30d\\)',
  'Avg Admins/Tenant',
]
const attention = (page: Page) => part(page, 'Needs attention')
/** Wide enough for all groups of attention on one line. */
const WIDE = { width: 1920, height: 900 }
/** A group of records that need attention. */
const tab = (page: Page, name: RegExp) => attention(page).getByRole('button', { name })

test('the dashboard shows all counts, and each figure links to its list', async ({ onDashboard: page }) => {
  const tenant = await makeTenant(page, 'Aaa Figures')
  for (const role of ['admin', 'manager']) await makeUser(page, tenant, `${role}@figures.example`, { role })
  await page.getByRole('button', { name: 'Refresh' }).click()
  await expect(page).toHaveTitle('Admin Dashboard · Switchboard')
  await expect(page.getByText('User management and tenant analytics overview')).toBeVisible()
  await expect(page.getByText(/^Updated \d\d:\d\d$/).first()).toBeVisible()
  // The figures of users and those of tenants come with two answers.
  const top = part(page, 'Top Tenants by User Count').getByRole('listitem').filter({ hasText: 'Aaa Figures' })
  await expect(top).toHaveText('Aaa Figures2')
  const health = page.getByRole('table', { name: 'Tenant Health Overview' })
  await expect(health.getByRole('row', { name: 'Aaa Figures active 2' })).toBeVisible()

  for (const [label, address] of [
    ['Total Users', /\/users$/],
    ['Active Users', /\/users\?is_active=true$/],
    ['Admins', /\/users\?role=admin$/],
    ['New Users \\(30d\\)', /\/users\?created_from=20\d\d-\d\d-\d\d$/],
    ['Total Tenants', /\/tenants$/],
    ['Active Tenants', /\/tenants\?status=active$/],
    ['New Tenants \\(30d\\)', /\/tenants\?created_from=20\d\d-\d\d-\d\d$/],
  ] as const) {
    const shown = await figure(page, label).innerText()
    await figure(page, label).click()
    await expect(page).toHaveURL(address)
    await expectTotal(page, Number(shown))
    await page.goBack()
  }
  const average = await figure(page, 'Avg Admins/Tenant').innerText()
  const number = async (label: string) => Number(await figure(page, label).innerText())
  expect(average).toBe(((await number('Total Users')) / (await number('Total Tenants'))).toFixed(1))

  await part(page, 'Users by Role')
    .getByRole('link', { name: /^Manager/ })
    .click()
  await expect(page).toHaveURL('/users?role=manager')
})

test('the two fixed badges say that they are not computed, also where the focus scrolls the page', async ({
  onDashboard: page,
}) => {
  await page.setViewportSize({ width: 1_280, height: 160 })
  for (const text of ['+15%', '+8%']) {
    await page.getByRole('button', { name: `${text}: Fixed label, not computed` }).focus()
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Tab')
    await expect(page.getByText('Fixed label, not computed', { exact: true })).toBeVisible()
  }
})

test('the eight figures are above the fold of a small laptop', async ({ signedIn: page }) => {
  await page.setViewportSize({ width: 1366, height: 768 })
  await makeTenant(page, 'Lonely Fold')
  // On an empty installation, the first steps come first.
  await page.evaluate(() => localStorage.setItem('first_steps_hidden', '1'))
  await page.goto('/')
  await expect(attention(page).getByRole('listitem').first()).toBeInViewport()
  for (const label of FIGURES) await expect(figure(page, label)).toBeInViewport({ ratio: 1 })
})

test('the figures of 30 days say what they are compared with', async ({ onDashboard: page }) => {
  for (const label of ['New Users \\(30d\\)', 'New Tenants \\(30d\\)'])
    await expect(figure(page, label)).toHaveAccessibleDescription(/^([+−±][\d,.]+% )?from [\d,]+$/)
  await expect(figure(page, 'Admins')).toHaveAccessibleDescription('')
})

test('records that need attention are named, and each links to its fix', async ({ signedIn: page }) => {
  await page.setViewportSize(WIDE)
  const tenant = await makeTenant(page, 'Lonely Works')
  const expires_at = new Date(Date.now() + 5.5 * 86_400_000).toISOString()
  await makeKey(page, tenant, { name: 'Short-lived', expires_at })
  for (const name of ['hilda', 'inge', 'jo']) await makeUser(page, tenant, `${name}@lonely.example`)
  const task = await makeTask(page, 'Resting Works', { placeId: 'ChIJresting' })
  await callApi(page, 'PUT', `tasks/${task}`, { is_paused: true })
  await page.goto('/')

  await tab(page, /keys? expiring$/).click()
  await expect(page).toHaveURL('/?attention=keys_expiring')
  await attention(page).getByRole('link', { name: 'All expiring keys' }).click()
  await expect(filterChip(page, 'Attention Expiring soon')).toBeVisible()
  const day = new Date(expires_at).toLocaleDateString('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' })
  await expect(keyRows(page, 'Lonely Works')).toContainText(day)
  await page.goBack()
  await expect(tab(page, /keys? expiring$/)).toHaveAttribute('aria-pressed', 'true')
  await attention(page).getByRole('link', { name: 'Rotate key Short-lived Lonely Works' }).click()
  await expect(page).toHaveURL(/\/keys\?key=/)
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.goBack()

  await tab(page, /tasks? paused$/).click()
  await attention(page).getByRole('link', { name: 'All paused tasks' }).click()
  await expect(page).toHaveURL('/tasks?state=paused')
  await page.goBack()
  await attention(page)
    .getByRole('link', { name: /^Resume task .*Resting Works/ })
    .click()
  await expect(page).toHaveURL(`/tasks/${task}`)
  await page.goBack()

  await tab(page, /tenants? without admin$/).click()
  await attention(page).getByRole('link', { name: 'All tenants without an admin' }).click()
  await expect(filterChip(page, 'Attention Without an active admin')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Lonely Works', exact: true })).toBeVisible()
  await page.goBack()
  await expect(attention(page).getByRole('listitem').filter({ hasText: 'Lonely Works' })).toContainText(
    '3 users, no active admin',
  )
  await attention(page).getByRole('link', { name: 'Open users Lonely Works' }).click()
  await expect(page).toHaveURL(`/tenants/${tenant}/users`)
})

test('the groups that need attention stay on one line, and a button shows the others', async ({ signedIn: page }) => {
  const tenant = await makeTenant(page, 'Crowded Works')
  await makeKey(page, tenant, { expires_at: new Date(Date.now() + 4.5 * 86_400_000).toISOString() })
  const task = await makeTask(page, 'Crowded Works Too', { placeId: 'ChIJcrowded' })
  await callApi(page, 'PUT', `tasks/${task}`, { is_paused: true })
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/')
  const more = attention(page).getByRole('button', { name: /^\d+ more$/ })
  await expect(more).toBeVisible()
  const groups = attention(page).getByRole('group', { name: 'Groups' })
  expect((await groups.boundingBox())?.height).toBeLessThan(50)
  await expect(tab(page, /tasks? paused$/)).toBeHidden()
  await more.click()
  await expect(more).toHaveCount(0)
  await tab(page, /tasks? paused$/).click()
  // The open group is shown after a reload, too.
  await page.reload()
  await expect(tab(page, /tasks? paused$/)).toHaveAttribute('aria-pressed', 'true')
  await expectNoSidewaysScroll(page, 320)
})

test('as many rows are listed as the dashboard says need attention', async ({ signedIn: page, server }) => {
  await page.setViewportSize(WIDE)
  const refuse = async (name: string) => {
    const tenant_id = await makeTenant(page, name)
    const secret = secretOf(await callApi(page, 'POST', 'api-keys', { tenant_id }))
    const ids = await callApi(page, 'GET', `api-keys/ids?tenant_id=${tenant_id}`)
    await callApi(page, 'POST', 'api-keys/bulk', { action: 'deactivate', ids })
    for (let n = 0; n < 10; n += 1)
      await page.request.post(`${server.aiUrl}/v1/keys/verify`, { data: { api_key: secret } })
    return tenant_id
  }
  await refuse('Refused Works')
  const suspended = await refuse('Halted Works')
  await callApi(page, 'PUT', `tenants/${suspended}`, { status: 'inactive' })
  const task = await makeTask(page, 'Paused Works', { placeId: 'ChIJpaused' })
  await callApi(page, 'PUT', `tasks/${task}`, { is_paused: true })
  for (const [tenant, days] of [
    ['Ending Works', 3],
    ['Ending Works Too', 9],
  ] as const) {
    const tenant_id = await makeTenant(page, tenant)
    await makeKey(page, tenant_id, { name: 'Lasting' })
    const expires_at = new Date(Date.now() + days * 86_400_000).toISOString()
    await makeKey(page, tenant_id, { name: `Ending in ${days}`, expires_at })
  }
  // Refused calls are counted within two seconds.
  await expect(async () => {
    await page.goto('/')
    await expect(attention(page).getByRole('listitem').first()).toBeVisible()
    await expect(attention(page).getByText(/^Last 7 days, keys of active tenants\. Another/)).toBeVisible({
      timeout: 1_000,
    })
  }).toPass()

  const first = attention(page).getByRole('listitem').first()
  await expect(first).toContainText(/The key is inactive.*\d+ refused/)
  await expect(attention(page).getByRole('listitem').filter({ hasText: 'Halted Works' })).toHaveCount(0)

  for (const [group, all] of [
    [/tenants? without admin$/, 'All tenants without an admin'],
    [/tasks? paused$/, 'All paused tasks'],
    [/keys? expiring$/, 'All expiring keys'],
    [/keys? refused$/, 'All refused keys'],
  ] as const) {
    await tab(page, group).click()
    await expect(attention(page).getByRole('link', { name: all })).toBeVisible()
    const another = /Another (\d+)?/.exec(await attention(page).innerText())
    const ofInactive = another === null ? 0 : Number(another[1] ?? 1)
    const count = Number.parseInt(await tab(page, group).innerText(), 10) + ofInactive
    await attention(page).getByRole('link', { name: all }).click()
    await expectTotal(page, count)
    await page.goBack()
  }

  await page.goto('/keys?attention=keys_refused')
  await expect(keyRows(page, 'Refused Works')).toContainText(/\d+ calls, \d+ refused/)
  const counts = await page.getByText(/^\d+ calls?, \d+ refused$/).allTextContents()
  const numbers = counts.map((text) => Number(/, (\d+)/.exec(text)?.[1]))
  expect(numbers).toEqual(numbers.toSorted((one, other) => other - one))

  await page.goto('/keys?attention=keys_expiring')
  await expectAccessible(page)
  await chooseListAction(page, 'Export')
  await expect(page.getByRole('dialog')).toContainText(/\d+ matching API keys/)
  await page.keyboard.press('Escape')
  await expect(keyRows(page, 'Ending Works')).toHaveCount(2)
})

test('calls are drawn for 7, 30 or 90 days, and only they', async ({ signedIn: page, server }) => {
  const key = await callApi(page, 'POST', 'api-keys', { tenant_id: await makeTenant(page, 'Called Works') })
  await page.request.post(`${server.aiUrl}/v1/keys/verify`, { data: { api_key: secretOf(key) } })
  const calls = part(page, 'Calls')
  // Calls are counted within two seconds.
  await expect(async () => {
    await page.goto('/')
    await expect(figure(page, 'Total Tenants')).toBeVisible()
    await expect(calls.getByRole('table', { name: 'Calls of 30 days' }).getByRole('rowheader')).toHaveCount(30, {
      timeout: 1_000,
    })
  }).toPass()
  const growth = await figure(page, 'New Tenants \\(30d\\)').innerText()
  await calls.getByRole('button', { name: '90 days' }).click()
  await expect(page).toHaveURL('/?days=90')
  await expect(calls.getByRole('table', { name: 'Calls of 90 days' }).getByRole('rowheader')).toHaveCount(90)
  await expect(figure(page, 'New Tenants \\(30d\\)')).toHaveText(growth)
  await page.reload()
  await expect(calls.getByRole('button', { name: '90 days' })).toHaveAttribute('aria-pressed', 'true')
  await expect(calls.getByRole('listitem').first()).toContainText(/^[\d,]+ accepted/)
  await expectAccessible(page)
})

test('a tenant has a link to its page, with any name', async ({ signedIn: page }) => {
  const name = `0 ${'🦷'.repeat(50)}`
  await makeTenant(page, name, { subdomain: 'surrogates' })
  await page.goto('/')
  await page.getByRole('table', { name: 'Tenant Health Overview' }).getByRole('link', { name }).click()
  await expect(page).toHaveURL(/\/tenants\/[-\w]{36}$/)
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
})

test('growth is a chart of links, and a month leads to its tenants', async ({ signedIn: page }) => {
  await makeTenant(page, 'Grown Works')
  await page.goto('/')
  const growth = part(page, 'Tenant Growth (6 months)')
  await expect(growth.getByRole('listitem')).toHaveCount(6)
  const newest = growth.getByRole('link').last()
  await expect(newest).toHaveAccessibleName(/^\w+ 20\d\d: [\d,]+ new$/)
  const count = (await newest.getByText(/new$/).innerText()).replace(' new', '')
  await newest.click()
  await expect(page).toHaveURL(/\/tenants\?created_from=20\d\d-\d\d-01&created_to=20\d\d-\d\d-\d\d$/)
  await expectTotal(page, Number(count))
  await page.getByRole('button', { name: /^Created .*: show all$/ }).click()
  await expect(page).toHaveURL('/tenants')
})

test('a change made elsewhere in the console shows at once', async ({ onDashboard: page }) => {
  const total = Number(await figure(page, 'Total Tenants').innerText())
  await page.getByRole('complementary').getByRole('link', { name: 'Tenants' }).click()
  // The exact name excludes the figure of new tenants, which is visible until the list has loaded.
  await page.getByRole('link', { name: 'New Tenant', exact: true }).first().click()
  await page.getByLabel('Tenant Name').fill('Counted Works')
  await page.getByLabel('Subdomain').fill('counted-works')
  await page.getByRole('button', { name: 'Create Tenant' }).click()
  await expect(page).toHaveURL('/tenants')
  await page.getByRole('complementary').getByRole('link', { name: 'Dashboard' }).click()
  await expect(figure(page, 'Total Tenants')).toHaveText(String(total + 1))
})

test('the dashboard shows loading and errors, and retries', async ({ onDashboard: page, problems }) => {
  problems.expected.push(/status of 403/)
  // Changes of others would refetch a part that has failed.
  await refuseStream(page)
  const answers = Promise.withResolvers<void>()
  await page.route('**/analytics/*', async (route) => {
    await answers.promise
    await route.fulfill({ status: 403, json: { detail: 'Something to read.' } })
  })
  await page.goto('/')
  await expect(page.getByText('Loading dashboard...').first()).toBeVisible()
  answers.resolve()
  await expect(page.getByRole('alert')).toContainText('Something to read.')

  await page.unroute('**/analytics/*')
  await page.route('**/analytics/attention', (route) => route.fulfill({ status: 403, json: { detail: 'Not this.' } }))
  await page.getByRole('button', { name: 'Try Again' }).click()
  await expect(part(page, 'Needs attention').getByRole('alert')).toContainText('Not this.')
  await expect(figure(page, 'Total Users')).toBeVisible()

  await page.unroute('**/analytics/attention')
  await part(page, 'Needs attention').getByRole('button', { name: 'Try Again' }).press('Enter')
  await expect(part(page, 'Needs attention').getByRole('alert')).toHaveCount(0)
  await expect(part(page, 'Needs attention')).toBeFocused()
  // A refresh during a running request waits for the same answer.
  await expect(page.getByRole('button', { name: 'Refresh' })).toHaveAttribute('aria-busy', 'false')
  await page.route('**/analytics/attention', (route) => route.fulfill({ status: 403, json: { detail: 'Not now.' } }))
  await page.getByRole('button', { name: 'Refresh' }).click()
  const notRefreshed = part(page, 'Needs attention').getByRole('alert')
  await expect(notRefreshed).toHaveText('The records that need attention could not be refreshed. Not now.')
  await expectAccessible(page)
  await page.unroute('**/analytics/attention')
  await part(page, 'Needs attention').getByRole('button', { name: 'Try Again' }).press('Enter')
  await expect(notRefreshed).toHaveCount(0)
  await expect(part(page, 'Needs attention')).toBeFocused()

  await page.route('**/analytics/tenants', (route) => route.fulfill({ status: 403, json: { detail: 'No more.' } }))
  await page.getByRole('button', { name: 'Refresh' }).press('Enter')
  await expect(page.getByText('The dashboard could not be refreshed. No more.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Refresh' })).toBeFocused()
  await expect(figure(page, 'Total Tenants')).toBeVisible()
})

for (const width of [1440, 360]) {
  test(`axe finds nothing at ${width} pixels, and nothing scrolls sideways`, async ({ onDashboard: page }) => {
    await page.setViewportSize({ width, height: 900 })
    const name = `<img src=x onerror="window.hacked=true"> gnol ${'W'.repeat(60)} ${width}`
    const tenant = await makeTenant(page, name, { subdomain: `dashboard-${width}` })
    for (let n = 0; n < 4; n += 1) await makeUser(page, tenant, `dashboard-${width}-${n}@example.com`)
    await page.goto('/?attention=tenants_without_admin')
    await expect(attention(page).getByRole('listitem').filter({ hasText: name })).toBeVisible()
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
  })
}
