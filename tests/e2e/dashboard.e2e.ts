import type { Page } from '@playwright/test'
import { figure, part } from './dashboard-parts.ts'
import { callApi, expect, expectAccessible, expectNoSidewaysScroll, test } from './fixtures.ts'
import { makeTask } from './task-records.ts'
import { expectTotal } from './tables.ts'
import { idOf, keyRows, makeKey, makeTenant, secretOf } from './tenant-keys.ts'

async function makeUser(page: Page, tenant_id: string, role: string): Promise<void> {
  const email = `${crypto.randomUUID()}@example.com`
  await callApi(page, 'POST', 'tenant-admins', { email, password: 'seven sisters walk at dusk', role, tenant_id })
}

test('the dashboard shows all counts, and each figure links to its list', async ({ onDashboard: page }) => {
  const tenant = await makeTenant(page, 'Aaa Figures')
  await makeUser(page, tenant, 'admin')
  await makeUser(page, tenant, 'manager')
  await page.getByRole('button', { name: 'Refresh' }).click()
  await expect(page).toHaveTitle('Admin Dashboard · Switchboard')
  await expect(page.getByText('User management and tenant analytics overview')).toBeVisible()
  await expect(page.getByText(/^As of \d\d:\d\d$/).first()).toBeVisible()
  await expect(part(page, 'Top Tenants by User Count').getByText('Aaa Figures')).toBeVisible()
  const health = part(page, 'Client/Tenant Analysis').getByRole('table', { name: 'Tenant Health Overview' })
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

test('records that need attention are named, and each links to its fix', async ({ signedIn: page }) => {
  const panel = part(page, 'Needs attention')
  const tenant = await makeTenant(page, 'Lonely Works')
  const expires_at = new Date(Date.now() + 5.5 * 86_400_000).toISOString()
  await makeKey(page, tenant, { name: 'Short-lived', expires_at })
  // Most users first, so that tenants of other stories do not displace it.
  for (const name of ['hilda', 'inge', 'jo']) {
    const user = { email: `${name}@lonely.example`, password: 'seven sisters walk at dusk', role: 'user' }
    await callApi(page, 'POST', 'tenant-admins', { ...user, tenant_id: tenant })
  }
  const task = await makeTask(page, 'Resting Works', { placeId: 'ChIJresting' })
  await callApi(page, 'PUT', `tasks/${task}`, { is_paused: true })
  await page.goto('/')

  await panel.getByRole('link', { name: /key expires|keys expire/ }).click()
  await expect(page.getByRole('combobox', { name: 'Attention' })).toHaveValue('keys_expiring')
  await expect(keyRows(page, 'Lonely Works')).toContainText('Expires in 5 days')
  await page.goBack()
  await panel.getByRole('link', { name: 'Short-lived of Lonely Works' }).click()
  await expect(page).toHaveURL(/\/keys\?key=/)
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.goBack()

  const paused = page.getByRole('link', { name: /tasks? (is|are) paused/ })
  await paused.click()
  await expect(page).toHaveURL('/tasks?state=paused')
  await page.goBack()
  await panel.getByRole('listitem').filter({ has: paused }).getByRole('link', { name: 'Resting Works' }).click()
  await expect(page).toHaveURL(`/tasks/${task}`)
  await page.goBack()

  await panel.getByRole('link', { name: /active tenants? lacks? an active admin/ }).click()
  await expect(page.getByRole('combobox', { name: 'Attention' })).toHaveValue('no_active_admin')
  await expect(page.getByRole('link', { name: 'Lonely Works', exact: true })).toBeVisible()
  await page.goBack()
  await panel.getByRole('link', { name: 'Lonely Works', exact: true }).click()
  await expect(page).toHaveURL(`/tenants/${tenant}/users`)

  await page.goto(`/tenants/${await makeTenant(page, 'Empty Works')}`)
  await panel.getByRole('link', { name: 'New User' }).click()
  await expect(page.getByRole('combobox', { name: 'Tenant' })).toHaveValue('Empty Works')
})

test('as many rows are listed as the dashboard says need attention', async ({ signedIn: page, server }) => {
  const panel = part(page, 'Needs attention')
  const secret = secretOf(
    await callApi(page, 'POST', 'api-keys', { tenant_id: await makeTenant(page, 'Refused Works') }),
  )
  const key = await callApi(page, 'GET', 'api-keys/ids?q=refused+works')
  await callApi(page, 'POST', 'api-keys/bulk', { action: 'deactivate', ids: key })
  for (let n = 0; n < 10; n += 1)
    await page.request.post(`${server.aiUrl}/v1/keys/verify`, { data: { api_key: secret } })
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
    await expect(panel.getByRole('link', { name: /with refused calls \(7 days\)$/ })).toBeVisible({ timeout: 1_000 })
  }).toPass()

  for (const group of [/an active admin$/, /(is|are) paused$/]) {
    const count = Number.parseInt(await panel.getByRole('link', { name: group }).innerText(), 10)
    await panel.getByRole('link', { name: group }).click()
    await expectTotal(page, count)
    await page.goBack()
  }
  const kinds = panel.getByRole('list').first().locator('> li')
  await expect(kinds.first()).toContainText(/\d+ refused · key switched off/)
  for (const group of [/with refused calls \(7 days\)$/, /within 14 days$/]) {
    const count = Number.parseInt(await panel.getByRole('link', { name: group }).innerText(), 10)
    await panel.getByRole('link', { name: group }).click()
    await expectTotal(page, count)
    await expect(keyRows(page)).toHaveCount(count)
    await page
      .getByRole('checkbox', { name: /^Select (?!all)/ })
      .first()
      .check()
    if (count > 1) await page.getByRole('button', { name: 'Select all' }).click()
    await expect(page.getByRole('region', { name: 'Selection' }).getByText(`${count} selected`).last()).toBeVisible()
    await page.goBack()
  }

  await page.goto('/keys?attention=keys_refused')
  await expect(keyRows(page, 'Refused Works')).toContainText(/\d+ calls, \d+ refused/)
  const counts = await page.getByText(/^\d+ calls?, \d+ refused$/).allTextContents()
  const numbers = counts.map((text) => Number(/, (\d+)/.exec(text)?.[1]))
  expect(numbers).toEqual(numbers.toSorted((one, other) => other - one))

  await page.goto('/keys?attention=keys_expiring')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Export' }).click()
  await expect(page.getByRole('dialog')).toContainText(/\d+ matching API keys/)
  await page.keyboard.press('Escape')
  await expect(keyRows(page, 'Ending Works')).toHaveCount(2)
})

test('a tenant has a link to its page, with any name', async ({ signedIn: page }) => {
  const name = `0 ${'🦷'.repeat(50)}`
  const body = { name, subdomain: 'surrogates', tenant_type: 'product' }
  await callApi(page, 'POST', 'tenants', body)
  await page.goto('/')
  await page.getByRole('table', { name: 'Tenant Health Overview' }).getByRole('link', { name }).click()
  await expect(page).toHaveURL(/\/tenants\/[-\w]{36}$/)
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
})

test('growth is a chart of links, or a table, and a month leads to its tenants', async ({ signedIn: page }) => {
  await makeTenant(page, 'Grown Works')
  await page.goto('/')
  const growth = part(page, 'Tenant Growth (6 months)')
  await expect(growth.getByRole('listitem')).toHaveCount(6)
  const newest = growth.getByRole('link').last()
  await expect(newest).toHaveAccessibleName(/^\w+ 20\d\d: [\d,]+ new$/)
  const count = (await newest.getByText(/new$/).innerText()).replace(' new', '')
  await growth.getByRole('button', { name: 'Show as table' }).click()
  await expect(growth.getByRole('rowheader')).toHaveCount(6)
  await expect(page).toHaveURL('/?growth=table')
  await page.reload()
  await expect(growth.getByRole('rowheader')).toHaveCount(6)
  await growth
    .getByRole('link', { name: `${count} new` })
    .last()
    .click()
  await expect(page).toHaveURL(/\/tenants\?created_from=20\d\d-\d\d-01&created_to=20\d\d-\d\d-\d\d$/)
  await expectTotal(page, Number(count))
  await page.getByRole('button', { name: /^Created .*: show all$/ }).click()
  await expect(page).toHaveURL('/tenants')
  await page.goBack()
  await page.goBack()
  await growth.getByRole('button', { name: 'Show as chart' }).click()
  await expect(growth.getByRole('listitem')).toHaveCount(6)
  await expect(page).toHaveURL('/')
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
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(part(page, 'Needs attention').getByRole('alert')).toContainText('Not this.')
  await expect(figure(page, 'Total Users')).toBeVisible()

  await page.unroute('**/analytics/attention')
  await part(page, 'Needs attention').getByRole('button', { name: 'Try again' }).press('Enter')
  await expect(part(page, 'Needs attention').getByRole('alert')).toHaveCount(0)
  await expect(part(page, 'Needs attention')).toBeFocused()
  // A refresh during a running request waits for the same answer.
  await expect(part(page, 'Needs attention').locator('[aria-busy=true]')).toHaveCount(0)
  await page.route('**/analytics/attention', (route) => route.fulfill({ status: 403, json: { detail: 'Not now.' } }))
  await page.getByRole('button', { name: 'Refresh' }).click()
  const notRefreshed = part(page, 'Needs attention').getByRole('alert')
  await expect(notRefreshed).toHaveText('The records that need attention could not be refreshed. Not now.')
  await expectAccessible(page)
  await page.unroute('**/analytics/attention')
  await part(page, 'Needs attention').getByRole('button', { name: 'Try again' }).press('Enter')
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
    const tenant = await callApi(page, 'POST', 'tenants', {
      name,
      subdomain: `dashboard-${width}`,
      tenant_type: 'product',
    })
    // A phone names one tenant: the tenant without an active admin that has the most users.
    for (let n = 0; n < 4; n += 1) await makeUser(page, idOf(tenant), 'user')
    await page.goto('/')
    await expect(part(page, 'Needs attention').getByRole('link', { name })).toBeVisible()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Show as table' }).click()
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
    expect(tenant).toMatchObject({ name })
  })
}
