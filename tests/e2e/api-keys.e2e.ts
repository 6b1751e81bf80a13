import type { Locator, Page } from '@playwright/test'
import { callApi, expect, expectAccessible, expectNoSidewaysScroll, signInHere, test } from './fixtures.ts'
import { loseAnswer } from './held-answers.ts'
import { chooseAction, closeSecret, keyRows, makeKey, makeTenant, openKeyRows, section } from './tenant-keys.ts'
import { setFilter } from './tables.ts'

/** Lets the page copy, as a person on a secure page may. */
test.beforeEach(async ({ context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
})

test('a key is generated, copied, deactivated and activated, and deleted', async ({ onDashboard: page }) => {
  await makeTenant(page, 'Lantern Books')
  await page.getByRole('link', { name: 'API Keys' }).click()
  await expect(page).toHaveTitle('API Keys · Switchboard')
  await expect(page.getByText('Super admins can generate and manage keys for any tenant.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'By tenant' })).toHaveAttribute('aria-pressed', 'true')
  await page.getByRole('searchbox').fill('lantern')
  const tenant = section(page, 'Lantern Books')
  await expect(tenant).toContainText('No keys')

  await tenant.getByRole('button', { name: 'Generate Key for Lantern Books' }).click()
  const dialog = page.getByRole('dialog', { name: 'Generate API Key' })
  await expect(dialog.getByLabel('Name')).toBeFocused()
  await expect(dialog.getByLabel('Name')).toHaveAttribute('placeholder', 'API Key for Lantern Books')
  await expect(dialog.getByLabel('Allowed origins')).toHaveValue('https://api.switchboard.example')
  await dialog.getByRole('button', { name: 'Add https://lantern-books.switchboard.example' }).click()
  await expect(dialog.getByLabel('Expires')).toHaveCount(0)
  await dialog.getByRole('button', { name: 'More Options' }).click()
  await dialog.getByLabel('Expires').selectOption('In 7 days')
  await dialog.getByRole('button', { name: 'Generate Key' }).click()

  const shown = page.getByRole('dialog', { name: 'API Key Generated' })
  const secret = (await shown.getByText(/^sb_live_/).textContent()) ?? ''
  expect(secret).toMatch(/^sb_live_[0-9A-Za-z]{36}$/)
  await page.keyboard.press('Escape')
  await page.mouse.click(5, 5)
  await page.evaluate(() => history.back())
  const browserQuestion = page.waitForEvent('dialog')
  await page.evaluate(() => setTimeout(() => location.reload()))
  await (await browserQuestion).dismiss()
  await expect(shown.getByText(secret, { exact: true })).toBeVisible()
  await expect(shown).toContainText('API Key for Lantern Books')
  await expect(shown).not.toContainText(' of Lantern Books')
  await expect(shown).toContainText('Calls must come from one of these origins.')
  await expect(shown.getByText(/^curl -i/)).toContainText("-H 'Origin: https://api.switchboard.example'")
  await shown.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('button', { name: 'Back to the Key' }).click()
  const width = async () => (await shown.getByText(secret, { exact: true }).boundingBox())?.width
  const before = await width()
  await shown.getByRole('button', { name: 'Copy', exact: true }).click()
  await expect(shown.getByRole('button', { name: 'Copied' })).toBeVisible()
  expect(await width()).toBe(before)
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(secret)
  await expect(shown.getByRole('button', { name: 'Copy', exact: true })).toBeVisible()
  await shown.getByRole('button', { name: 'Done' }).click()
  await expect(shown).toHaveCount(0)
  expect(await page.content()).not.toContain(secret)

  await expect(tenant).toContainText('1 key · 1 active')
  await tenant.getByRole('button', { name: 'Keys of Lantern Books' }).click()
  const key = openKeyRows(page).first()
  await expect(key).toContainText('API Key for Lantern Books')
  await expect(key).toContainText(/sb_live_••••\w{4}/)
  await expect(key).toContainText(`${secret.slice(8, 12)}…${secret.slice(-4)}`)
  await expect(key).toContainText('api.switchboard.example+1')
  await expect(key).toContainText('Active')
  await chooseAction(key, 'Deactivate')
  await expect(key).toContainText('Inactive')
  await expect(tenant).toContainText('1 key · 0 active')
  await expect(tenant.getByText('Key inactive')).toBeVisible()
  await chooseAction(key, 'Activate')
  await expect(tenant).toContainText('1 key · 1 active')

  await chooseAction(key, 'Delete')
  const confirm = page.getByRole('dialog', { name: 'Delete API Key' })
  await confirm.getByRole('button', { name: 'Delete' }).click()
  await expect(confirm).toHaveCount(0)
  await expect(tenant).toContainText('No keys')
})

test('a test key is marked in the dialogs, the list, its drawer and at the gateway', async ({
  signedIn: page,
  server,
}) => {
  const tenant = await makeTenant(page, 'Sandbox Instruments')
  await makeKey(page, tenant, { name: 'Live site' })
  await page.goto(`/tenants/${tenant}/keys`)
  await page.getByRole('region', { name: 'API Keys' }).getByRole('button', { name: 'Generate Key' }).click()
  const dialog = page.getByRole('dialog', { name: 'Generate API Key' })
  await dialog.getByLabel('Name').fill('Developer')
  await dialog.getByRole('button', { name: 'More Options' }).click()
  await expect(dialog.getByRole('button', { name: 'Live' })).toHaveAttribute('aria-pressed', 'true')
  await dialog.getByRole('button', { name: 'Test' }).click()
  await expect(dialog.getByRole('group', { name: 'Environment' })).toHaveAccessibleDescription(/begins with sb_test_/)
  await expectAccessible(page)
  await dialog.getByLabel('Allowed origins').fill('')
  await dialog.getByRole('button', { name: 'Generate Key' }).click()
  const shown = page.getByRole('dialog', { name: 'API Key Generated' })
  await expect(shown).toContainText('Test Developer of Sandbox Instruments')
  await expect(shown).toContainText('Without origins, every website and every program can call with the key.')
  const api_key = (await shown.getByText(/^sb_test_[0-9A-Za-z]{36}$/).textContent()) ?? ''
  await closeSecret(page)

  await expect(keyRows(page, 'Developer')).toContainText('Test')
  await expect(keyRows(page, 'Live site')).not.toContainText('Test')
  const answer = await page.request.get(`${server.aiUrl}/v1/keys/authorize`, { headers: { 'x-api-key': api_key } })
  expect([answer.status(), answer.headers()['x-key-environment']]).toEqual([204, 'test'])
  await setFilter(page, 'Environment', 'Test')
  await expect(keyRows(page)).toHaveCount(1)
  await page.getByRole('link', { name: /^Developer ending \w{4} \(test\)$/ }).click()
  const drawer = page.getByRole('dialog', { name: 'Developer' })
  await expect(drawer.getByRole('definition').filter({ hasText: /^Test$/ })).toBeVisible()
  await expectAccessible(page)
  await page.goto(`/tenants/${tenant}`)
  await expect(page.getByRole('heading', { name: 'Calls of live keys' })).toBeVisible()
})

test('a key is generated, copied, rotated and deleted with only the keyboard', async ({ signedIn: page }) => {
  await makeTenant(page, 'Keyboard Works')
  await page.goto('/keys?q=keyboard+works')
  const tenant = section(page, 'Keyboard Works')
  const press = async (name: string | RegExp, key = 'Enter') => {
    const button = page.getByRole('button', { name, exact: typeof name === 'string' }).first()
    await expect(button).toBeEnabled()
    for (let n = 0; n < 60 && !(await button.evaluate((one) => one === document.activeElement)); n += 1)
      await page.keyboard.press('Tab')
    await expect(button).toBeFocused()
    await page.keyboard.press(key)
  }
  await expect(tenant).toBeVisible()
  const reach = async (target: Locator, key: string) => {
    await expect(target).toBeVisible()
    for (let n = 0; n < 60 && !(await target.evaluate((one) => one === document.activeElement)); n += 1)
      await page.keyboard.press(key)
    await expect(target).toBeFocused()
  }
  const generate = page.getByRole('button', { name: 'Generate Key for Keyboard Works' })
  await reach(tenant, 'Tab')
  await reach(generate, 'ArrowRight')
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('Name')).toBeFocused()
  await page.keyboard.type('Typed')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Copy', exact: true })).toBeFocused()
  await page.keyboard.press('Space')
  await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible()
  await press('Done')
  await expect(generate).toBeFocused()

  await reach(tenant, 'ArrowLeft')
  await page.keyboard.press('Enter')
  const row = openKeyRows(page).first()
  await expect(row).toBeVisible()
  await reach(row, 'ArrowDown')
  await page.keyboard.press('.')
  await expect(page.getByRole('menuitem', { name: 'Edit' })).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('Keep the old key working for')).toBeFocused()
  await press('Rotate Key')
  await expect(page.getByRole('dialog', { name: 'API Key Generated' })).toBeVisible()
  await press('Done')
  await press('Close Anyway')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  // The row with the focus is gone: the old key is below its successor now.
  await expect(tenant).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(row).toBeFocused()
  await reach(row.getByRole('button', { name: /^1 old key of Typed/ }), 'ArrowRight')
  await page.keyboard.press('Enter')
  await expect(openKeyRows(page)).toHaveCount(2)
  await page.keyboard.press('.')
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await press('Delete')
  await expect(openKeyRows(page)).toHaveCount(1)
})

test('origins are checked one by one with the rule of the verifier', async ({ signedIn: page }) => {
  await makeTenant(page, 'Origin Works')
  await page.goto('/tenants?q=origin+works')
  await chooseAction(page, 'Generate Key', 'Origin Works')
  const dialog = page.getByRole('dialog', { name: 'Generate API Key' })
  const origins = dialog.getByLabel('Allowed origins')
  await origins.fill('Shop.Example.com/, https://*.example.org, http://plain.example, ,')
  await expect(dialog.getByText('http://plain.example: Use https.')).toBeVisible()
  await expect(origins).toHaveAccessibleDescription(/http:\/\/plain\.example: Use https\./)
  await expect(origins).toHaveAttribute('aria-invalid', 'true')
  await expect(dialog.getByRole('button', { name: 'Generate Key' })).toBeDisabled()
  await origins.fill('shop.example.com, https://*.example.org')
  await expect(dialog.getByText(/^Calls must come from one of these origins\./)).toBeVisible()
  await dialog.getByRole('button', { name: 'Add https://example.org' }).click()
  await expect(origins).toHaveValue('shop.example.com, https://*.example.org, https://example.org')
  await origins.fill('')
  await expect(dialog.getByText(/^Without origins, every website/)).toBeVisible()
  await dialog.getByRole('button', { name: 'Generate Key' }).click()
  await closeSecret(page)
  await chooseAction(page, 'Delete', 'Origin Works')
  await expect(page.getByRole('dialog')).toContainText('1 API key')
})

test('a failed toggle is rolled back with its reason, and can be tried again without the server', async ({
  signedIn: page,
  problems,
}) => {
  problems.expected.push(/status of 409/, /ERR_FAILED/)
  const tenant = await makeTenant(page, 'Undo Works')
  await makeKey(page, tenant, { name: 'Stubborn' })
  await page.goto(`/keys?tenant_id=${tenant}`)
  await page.route('**/toggle', (route) => route.abort())
  await chooseAction(page, 'Deactivate', 'Stubborn')
  await expect(
    page.getByText(
      'Stubborn: Failed to toggle API key status. (The server is up, but this call got no answer. A blocker in the browser may have stopped it.)',
    ),
  ).toBeVisible()
  await page.unroute('**/toggle')
  await page.getByRole('button', { name: 'Try Again' }).click()
  await expect(page.getByText('Stubborn was deactivated.')).toBeVisible()
  await page.keyboard.press('z')
  await expect(page.getByText('Stubborn was activated.')).toBeVisible()
  await page.route('**/toggle', (route) => route.fulfill({ status: 409, json: { detail: 'Not today.' } }))
  await chooseAction(page, 'Deactivate', 'Stubborn')
  await expect(page.getByText('Not today.')).toBeVisible()
  await expect(keyRows(page, 'Stubborn')).toContainText('Active')
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(page).toHaveURL(/\/login/)
  await signInHere(page)
  await expect(page.getByRole('heading', { name: 'Admin Dashboard' })).toBeVisible()
  await expect(page.getByText('Not today.')).toHaveCount(0)
})

test('keys that cannot be loaded show an error', async ({ signedIn: page, problems }) => {
  problems.expected.push(/status of 409/)
  const tenant = await makeTenant(page, 'Broken Works')
  await page.route('**/api-keys?*', (route) => route.fulfill({ status: 409, json: { detail: 'Something to read.' } }))
  await page.goto(`/keys?q=broken+works&open=${tenant}`)
  await expect(page.getByText('Error loading keys')).toBeVisible()
  await expect(page.getByText('Failed to load API keys: Something to read.')).toBeVisible()
})

for (const width of [1440, 390]) {
  /** Keys of many kinds, with hostile names. */
  const openKeys = async (page: Page, place: string) => {
    await page.setViewportSize({ width, height: 900 })
    const name = `Axe ${width} <img src=x onerror="window.hacked=true"> \u200Flong ${'W'.repeat(60)}`
    const subdomain = `axe-${place}-${width}`
    const tenant = await makeTenant(page, name, { subdomain })
    const old = await makeKey(page, tenant, {
      name: '"><script>window.hacked=true</script>',
      description: `\u202E${'W'.repeat(200)}`,
    })
    await callApi(page, 'POST', `api-keys/${old}/rotate`, { grace_seconds: 3_600 })
    const off = await makeKey(page, tenant, {
      name: 'Off',
      allowed_origins: ['https://a.example', 'https://b.example'],
    })
    await callApi(page, 'PATCH', `api-keys/${off}/toggle`, { is_active: false })
    await page.goto(`/keys?q=${subdomain}&open=${tenant}`)
    await page.getByRole('button', { name: /^1 old key of/ }).click()
    await expect(page.getByRole('button', { name: /^More actions for .* ending/ })).toHaveCount(3)
  }

  test(`axe finds no problem on keys at ${width} pixels, with any names`, async ({ onDashboard: page }) => {
    await openKeys(page, 'list')
    await expectAccessible(page)
    expect(await page.evaluate(() => 'hacked' in window)).toBe(false)
    await expectNoSidewaysScroll(page)
    if (width > 1_000) await page.getByRole('button', { name: /^Generate Key for/ }).click()
    else await chooseAction(page, 'Generate Key', `Axe ${width}`)
    await expect(page.getByRole('dialog')).toBeVisible()
    await expectAccessible(page)
    await page.getByRole('dialog').getByRole('button', { name: 'Generate Key' }).click()
    await expect(page.getByRole('dialog', { name: 'API Key Generated' })).toBeVisible()
    await expectAccessible(page)
  })

  test(`axe finds nothing in the dialogs of keys at ${width} pixels`, async ({ onDashboard: page }) => {
    await openKeys(page, 'dialogs')
    for (const [key, action] of [
      ['">', 'Rotate'],
      ['Off', 'Delete'],
      [/\(replaced\)$/, 'Extend Grace'],
      [/\(replaced\)$/, 'Revoke Old Key Now'],
    ] as const) {
      await chooseAction(page, action, key)
      await expect(page.getByRole('dialog')).toBeVisible()
      await expectAccessible(page)
      await page.keyboard.press('Escape')
      await expect(page.getByRole('dialog')).toHaveCount(0)
    }
    expect(await page.evaluate(() => 'hacked' in window)).toBe(false)
  })
}

test('a lost answer doubles no key, and the secret is shown after all', async ({ onDashboard: page, problems }) => {
  problems.expected.push(/ERR_CONNECTION_RESET/)
  const id = await makeTenant(page, 'Lost Candle Books')
  await page.goto(`/tenants/${id}/keys`)
  await page.getByRole('button', { name: 'Generate Key' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Generate API Key' })
  await loseAnswer(page, '**/api/v1/admin/api-keys')
  await dialog.getByRole('button', { name: 'Generate Key' }).click()
  await expect(dialog.getByText(/this call got no answer/)).toBeVisible()
  await dialog.getByRole('button', { name: 'Generate Key' }).click()
  await expect(page.getByRole('dialog', { name: 'API Key Generated' }).getByText(/^sb_live_/)).toBeVisible()
  expect(await callApi(page, 'GET', `api-keys?tenant_id=${id}`)).toHaveLength(1)
})
