import type { Page } from '@playwright/test'
import { callApi, expect, expectAccessible, expectNoSidewaysScroll, test } from './fixtures.ts'
import { chooseAction, makeTenant, makeUser } from './tenant-keys.ts'
import { filterChip, rowOf, rowsOf, setFilter, tableOf } from './tables.ts'

const USER_PASSWORD = 'seven sisters walk at dusk'

/** A tenant of one test, with a unique name, and its users. */
async function makeTenantWith(page: Page, name: string, users: string[]): Promise<string> {
  const tenant_id = await makeTenant(page, name)
  for (const email of users) await makeUser(page, tenant_id, email)
  return tenant_id
}

async function firstTenantName(page: Page): Promise<string> {
  const tenants = await callApi(page, 'GET', 'tenants?limit=1&sort=name')
  const first: unknown = Array.isArray(tenants) ? tenants[0] : null
  if (typeof first !== 'object' || first === null || !('name' in first)) throw new Error('no tenants')
  return String(first.name)
}

const row = (page: Page, text: string) => rowOf(page, 'Users', text)

test('an internationalized address is shown as typed, and its other spelling is taken', async ({
  signedIn: page,
  problems,
}) => {
  problems.expected.push(/status of 4(09|22)/)
  const typed = 'jörg@bücher.example'
  await makeTenant(page, 'Bücher Works')
  const create = async (email: string) => {
    await page.goto('/users/create')
    await page.getByRole('combobox', { name: 'Tenant' }).fill('Bücher')
    await page.getByRole('option', { name: 'Bücher Works' }).click()
    await page.getByLabel('Password', { exact: true }).fill(USER_PASSWORD)
    await page.getByLabel('Email Address').fill(email)
    await page.getByRole('button', { name: 'Create User' }).click()
  }
  await create(typed)
  await expect(row(page, typed)).toContainText('Bücher Works')
  await create('Jörg@xn--bcher-kva.example')
  await expect(page.getByText('This email address is already in use.')).toBeVisible()
  await create('jörg@bücher.example:25')
  await expect(page.getByLabel('Email Address')).toHaveAccessibleDescription('Enter a valid email address.')
  await expect(page.getByLabel('Email Address')).toHaveValue('jörg@bücher.example:25')

  await page.goto(`/users?q=${encodeURIComponent('@xn--bcher-kva')}`)
  await expect(row(page, typed)).toBeVisible()
})

test('a name is shown beside the address, in one line, and finds the person', async ({ signedIn: page }) => {
  const tenantId = await makeTenantWith(page, 'Curlew Users', [])
  await page.goto(`/users/create?tenant_id=${tenantId}`)
  await page.getByLabel('Email Address').fill('mj@curlew.example')
  await page.getByLabel('Name', { exact: true }).fill('Maja Jensen')
  await page.getByLabel('Password', { exact: true }).fill(USER_PASSWORD)
  await page.getByRole('button', { name: 'Create User' }).click()
  await expect(page.getByText('mj@curlew.example was created.')).toBeVisible()
  await page.goto('/users?q=maja')
  const made = row(page, 'mj@curlew.example')
  await expect(made).toContainText('Maja Jensen mj@curlew.example')
  expect((await made.boundingBox())?.height).toBeLessThanOrEqual(56)

  await chooseAction(made, 'Edit')
  const dialog = page.getByRole('dialog', { name: 'Edit User' })
  await dialog.getByLabel('Name', { exact: true }).fill('Maja Curlew')
  await dialog.getByRole('button', { name: 'Save Changes' }).click()
  await expect(page.getByText('mj@curlew.example: name changed.')).toBeVisible()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('maja cur')
  await expect(
    page.getByRole('option', { name: /^Maja Curlew mj@curlew.example · Admin · Curlew Users/ }),
  ).toBeVisible()
})

test('a user is created, seen, deactivated, activated and deleted', async ({ onDashboard: page }) => {
  const tenantId = await makeTenant(page, 'Aardvark Users')
  await page.getByRole('complementary').getByRole('link', { name: 'Users' }).click()
  await expect(page).toHaveTitle('Users · Switchboard')
  await expect(page.getByText('Manage admin users for all tenants')).toBeVisible()
  await page.getByRole('link', { name: 'New User' }).first().click()
  await expect(page).toHaveURL('/users/create')
  await expect(page.getByLabel('Role')).toHaveValue('admin')
  // The first tenant by name is preselected, even one that another story has created.
  const tenant = page.getByRole('combobox', { name: 'Tenant' })
  await expect(tenant).toHaveValue(await firstTenantName(page))
  await tenant.fill('Aardvark')
  await page.getByRole('option', { name: 'Aardvark Users' }).click()
  await page.getByLabel('Email Address').fill(' Grace@Example.com')
  await page.getByLabel('Password', { exact: true }).fill(USER_PASSWORD)
  await expect(page.getByText('Strong.')).toBeVisible()
  await page.getByLabel('Role').selectOption('Manager')
  await page.getByRole('button', { name: 'Create User' }).click()

  await expect(page).toHaveURL('/users')
  const made = row(page, 'Grace@Example.com')
  await expect(made).toContainText('Manager')
  await expect(made).toContainText('Aardvark Users')
  await expect(made).toContainText(tenantId.slice(0, 8))
  await expect(made).toContainText('Active')

  await chooseAction(made, 'Deactivate', 'Grace@Example.com')
  await expect(made).toContainText('Inactive')
  await expect(
    page.getByText("Grace@Example.com was deactivated and cannot sign in to the tenant's portal."),
  ).toBeVisible()
  await chooseAction(made, 'Activate', 'Grace@Example.com')
  await expect(made.getByText('Active', { exact: true })).toBeVisible()

  await chooseAction(made, 'Delete', 'Grace@Example.com')
  const confirm = page.getByRole('dialog', { name: 'Delete User' })
  await expect(confirm).toContainText('You can undo this for 10 seconds.')
  await page.keyboard.press('Escape')
  await expect(confirm).toHaveCount(0)
  await chooseAction(made, 'Delete', 'Grace@Example.com')
  await confirm.getByRole('button', { name: 'Delete' }).click()
  await expect(confirm).toHaveCount(0)
  await expect(made).toHaveCount(0)
})

test('without mail, a user is invited by a link that is shown once, and a new link replaces it', async ({
  signedIn: page,
  problems,
}) => {
  problems.expected.push(/status of 409/)
  const tenantId = await makeTenant(page, 'Plover Users')
  await page.goto(`/users/create?tenant_id=${tenantId}`)
  await page.getByLabel('Email Address').fill('pia@plover.example')
  const choice = page.getByLabel('Send an invitation instead of a password')
  await choice.check()
  await expect(page.getByLabel('Password', { exact: true })).toHaveCount(0)
  await expect(page.getByText('This server sends no mail: you get a link to pass on.')).toBeVisible()
  await expectAccessible(page)
  await expectNoSidewaysScroll(page, 320)
  await page.getByRole('button', { name: 'Create User' }).click()
  const dialog = page.getByRole('dialog', { name: 'Invitation Link' })
  const shown = async () => await dialog.locator('code').textContent()
  const link = /^https:\/\/[\w-]+\.switchboard\.example\/invitation#[\w-]{43}$/
  await expect(dialog.getByText(link)).toBeVisible()
  const first = await shown()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('button', { name: 'Close Anyway' }).click()
  await expect(page).toHaveURL(`/tenants/${tenantId}/users`)
  await expect(page.getByText('pia@plover.example was created.')).toBeVisible()
  const made = row(page, 'pia@plover.example')
  await expect(made).toContainText('Invited')

  await chooseAction(made, 'New Invitation Link', 'pia@plover.example')
  await expect(dialog.getByText(link)).toBeVisible()
  expect(await shown()).not.toBe(first)
  await dialog.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('button', { name: 'Close Anyway' }).click()

  await chooseAction(made, 'Edit', 'pia@plover.example')
  const edit = page.getByRole('dialog', { name: 'Edit User' })
  await expect(edit).toContainText(/Invited .+, and has not chosen a password yet\. The link ends in/)
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await chooseAction(made, 'Set Password', 'pia@plover.example')
  const question = page.getByRole('dialog', { name: 'Set Password' })
  await expect(question).toContainText('An invitation ends.')
  await question.getByRole('button', { name: 'Set Password' }).click()
  await page.getByRole('dialog', { name: 'New Password' }).getByRole('button', { name: 'Done' }).click()
  await page.getByRole('button', { name: 'Close Anyway' }).click()
  await expect(made.getByText('Active', { exact: true })).toBeVisible()
})

test('the super admins are in the list, without destructive actions on their own row', async ({ signedIn: page }) => {
  await page.goto('/users?role=super_admin')
  const own = row(page, 'ada@switchboard.example')
  await expect(own).toContainText('System Admin')
  await expect(own).toContainText('You')
  await own.getByRole('button').click()
  await expect(page.getByRole('menuitem')).toHaveText(['History'])
})

test('users who never signed in are a filter of the list', async ({ signedIn: page }) => {
  await page.goto('/users?role=super_admin')
  const own = row(page, 'ada@switchboard.example')
  await expect(own).toBeVisible()
  await setFilter(page, 'Sign-in', 'Never signed in')
  await expect(page).toHaveURL(/never_signed_in=true/)
  await expect(own).toHaveCount(0)
})

test('the form names missing, short and guessable values', async ({ signedIn: page, problems }) => {
  problems.expected.push(/status of 422/, /status of 409/)
  await makeTenantWith(page, 'Guess Works', ['guess.taken@example.com'])
  await page.goto('/users/create')
  const create = page.getByRole('button', { name: 'Create User' })
  const password = page.getByLabel('Password', { exact: true })
  await expect(page.getByRole('combobox', { name: 'Tenant' })).not.toHaveValue('')
  await create.click()
  await expect(page.getByRole('alert')).toHaveText('Email, password, and tenant are required.')
  await expectAccessible(page)
  await password.fill('s')
  await expect(page.getByRole('alert')).toHaveCount(0)

  await page.getByLabel('Email Address').fill('guess@example.com')
  await password.fill('seven77')
  await create.click()
  await expect(password).toHaveAccessibleDescription(/New password must be at least 8 characters long/)
  for (const [typed, error] of [
    ['password123', /too common/],
    ['guess-2026-xy', /“guess”/],
    ['my switchboard!', /“switchboard”/],
  ] as const) {
    await password.fill(typed)
    await create.click()
    await expect(password).toHaveAccessibleDescription(error)
    await expect(password).toHaveAttribute('aria-invalid', 'true')
  }
  await page.getByLabel('Email Address').fill('guess.taken@example.com')
  await password.fill(USER_PASSWORD)
  await create.click()
  await expect(page.getByRole('alert')).toContainText('This email address is already in use.')
  await expect(page.getByLabel('Email Address')).toHaveValue('guess.taken@example.com')
  await expectAccessible(page)
})

test('when the tenants or the creation fail, the form shows the error and keeps the typed text', async ({
  signedIn: page,
  problems,
}) => {
  problems.expected.push(/status of 409/, /ERR_FAILED/)
  await page.route('**/api/v1/admin/tenants?*', (route) => route.fulfill({ status: 409, json: { detail: 'No.' } }))
  await page.goto('/users/create')
  await expect(page.getByText('Failed to load tenants. Please try again.')).toBeVisible()
  await expectAccessible(page)
  await page.unroute('**/api/v1/admin/tenants?*')
  await makeTenant(page, 'Recovered Works')
  await page.getByRole('combobox', { name: 'Tenant' }).click()
  await expect(page.getByText('Failed to load tenants. Please try again.')).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('combobox', { name: 'Tenant' })).not.toHaveValue('')
  await page.getByLabel('Email Address').fill('kept@example.com')
  await page.getByLabel('Password', { exact: true }).fill(USER_PASSWORD)
  await page.route('**/api/v1/admin/tenant-admins', (route) =>
    route.fulfill({ status: 409, json: { detail: 'Not now.' } }),
  )
  await page.getByRole('button', { name: 'Create User' }).click()
  await expect(page.getByRole('alert')).toContainText('Not now.')
  await expect(page.getByLabel('Email Address')).toHaveValue('kept@example.com')
})

test('search, filters, sort and page live in the address, and Back restores them', async ({ signedIn: page }) => {
  const emails = Array.from({ length: 30 }, (_, n) => `paged.${String(n).padStart(2, '0')}@example.com`)
  const tenantId = await makeTenantWith(page, 'Leafed Users', emails)
  await page.goto('/users')
  await page.getByRole('searchbox').fill('paged.')
  await expect(page.getByText('1–30 of 30')).toBeVisible()
  await page.getByLabel('Rows per page').selectOption('25')
  await page.getByRole('button', { name: 'Email' }).click()
  await expect(rowsOf(page, 'Users').first()).toContainText('paged.00@example.com')
  await page.getByRole('link', { name: 'Next' }).click()
  await expect(page.getByText('26–30 of 30')).toBeVisible()
  const deep = page.url()
  await setFilter(page, 'Status', 'Inactive')
  await expect(page.getByText('No users match.')).toBeVisible()
  await page.goBack()
  await expect(page).toHaveURL(deep)
  await expect(page.getByText('26–30 of 30')).toBeVisible()

  await page.getByRole('link', { name: 'Leafed Users' }).first().click()
  await expect(page).toHaveURL(`/tenants/${tenantId}/users`)
  await expect(page.getByRole('heading', { level: 1, name: 'Leafed Users' })).toBeVisible()
  await page.goto(`/users?tenant_id=${tenantId}`)
  await expect(filterChip(page, 'Tenant Leafed Users')).toBeVisible()
})

test('invalid values in the address are ignored', async ({ signedIn: page }) => {
  await page.goto('/users?sort=password&role=root&is_active=maybe&tenant_id=1&limit=7')
  await expect(tableOf(page, 'Users')).toBeVisible()
  await expect(page.getByRole('alert')).toHaveCount(0)
})

test('a refused deactivation is rolled back and reported', async ({ signedIn: page, problems }) => {
  problems.expected.push(/status of 409/)
  await makeTenantWith(page, 'Refusing Works', ['refused@example.com'])
  await page.goto('/users?q=refused')
  await page.route('**/tenant-admins/*/toggle', (route) =>
    route.fulfill({ status: 409, json: { detail: 'Not them.' } }),
  )
  await chooseAction(page, 'Deactivate', 'refused@example.com')
  await expect(page.getByText('refused@example.com could not be deactivated. Not them.')).toBeVisible()
  await expect(row(page, 'refused@example.com').getByText('Active', { exact: true })).toBeVisible()
})

test('a list that cannot be loaded shows the reason and retries; an empty list has its text', async ({
  signedIn: page,
  problems,
}) => {
  problems.expected.push(/status of 409/)
  await page.route('**/api/v1/admin/tenant-admins?*', (route) =>
    route.fulfill({ status: 409, json: { detail: 'Something to read.' } }),
  )
  await page.goto('/users')
  await expect(page.getByText('Something to read.')).toBeVisible()
  await page.unroute('**/api/v1/admin/tenant-admins?*')
  await page.route('**/api/v1/admin/tenant-admins?*', (route) =>
    route.fulfill({ status: 200, json: [], headers: { 'x-total-count': '0', 'x-page-start': '0' } }),
  )
  await page.getByRole('button', { name: 'Try Again' }).click()
  await expect(page.getByText('No users found', { exact: true })).toBeVisible()
  await expectAccessible(page)
})

for (const width of [1440, 390]) {
  test(`at ${width} pixels axe finds nothing, nothing scrolls sideways and awkward names do nothing`, async ({
    signedIn: page,
  }) => {
    const narrower = width === 390 ? [360] : []
    await page.setViewportSize({ width, height: 900 })
    const name = `<img src=x onerror="window.hacked=true"> ${'W'.repeat(60)} ${width}`
    const email = `${'w'.repeat(59)}.${width}@${'example.'.repeat(6)}com`
    const subdomain = `oddly-named-${width}`
    const tenant = await makeTenant(page, name, { subdomain, tenant_type: 'service' })
    await page.goto('/users/create')
    await page.getByRole('combobox', { name: 'Tenant' }).fill(subdomain)
    await page.getByRole('option', { name: subdomain }).click()
    await page.getByLabel('Email Address').fill(email)
    await page.getByLabel('Password', { exact: true }).fill(USER_PASSWORD)
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Create User' }).click()
    await expect(page).toHaveURL('/users')
    await page.goto(`/users?q=.${width}@`)
    await expect(page.getByText(email).first()).toBeVisible()
    for (const each of [...narrower, width]) {
      await page.setViewportSize({ width: each, height: 900 })
      await expect(page.getByText(tenant.slice(0, 8), { exact: true })).toBeInViewport({ ratio: 1 })
    }
    await expectAccessible(page)
    await expectNoSidewaysScroll(page, ...narrower)

    if (width < 500) {
      await page.getByRole('button', { name: `More actions for ${email}` }).click()
      await expectAccessible(page)
      await page.getByRole('button', { name: 'Delete', exact: true }).click()
    } else {
      await chooseAction(page, 'Delete', email)
    }
    await expect(page.getByRole('dialog', { name: 'Delete User' })).toContainText(name)
    await expectAccessible(page)
    await expectNoSidewaysScroll(page, ...narrower)
    expect(await page.evaluate(() => 'hacked' in window)).toBe(false)
  })
}
