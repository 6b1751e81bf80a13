import type { Page } from '@playwright/test'
import { connect } from '@switchboard/database/connect'
import { urlOfRunning } from '@switchboard/database/embedded/embedded-postgres'
import { callApi, expect, expectAccessible, test } from './fixtures.ts'

/** A tenant of one test, told from those of others by its name. */
async function makeTenant(page: Page, name: string): Promise<string> {
  const subdomain = name.toLowerCase().replace(/[^a-z0-9]+/g, '-')
  return idOf(await callApi(page, 'POST', 'tenants', { name, subdomain, tenant_type: 'product' }))
}

async function makeKey(page: Page, tenant_id: string, fields: object = {}): Promise<string> {
  return idOf(await callApi(page, 'POST', 'api-keys', { tenant_id, ...fields }))
}

function idOf(answer: unknown): string {
  if (typeof answer !== 'object' || answer === null || !('id' in answer)) throw new Error('no record')
  return String(answer.id)
}

const section = (page: Page, tenant: string) => page.getByRole('region', { name: tenant })
const items = (page: Page, tenant: string) =>
  page.getByRole('list', { name: `API keys of ${tenant}` }).getByRole('listitem')

/** Lets the page copy, as a person on a secure page may. */
test.beforeEach(async ({ context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
})

test('a key is generated, copied, switched off and on, and deleted', async ({ signedIn: page }) => {
  await makeTenant(page, 'Lantern Books')
  await page.getByRole('link', { name: 'API Keys' }).click()
  await expect(page).toHaveTitle('API Keys · Switchboard')
  await expect(page.getByText('Super admins can generate and manage keys for any tenant.')).toBeVisible()
  await page.getByRole('searchbox').fill('lantern')
  const tenant = section(page, 'Lantern Books')
  await expect(tenant).toContainText('No keys')

  await tenant.getByRole('button', { name: 'Generate Key for Lantern Books' }).click()
  const dialog = page.getByRole('dialog', { name: 'Generate API Key' })
  await expect(dialog.getByLabel('Name')).toBeFocused()
  await expect(dialog.getByLabel('Name')).toHaveAttribute('placeholder', 'API Key for Lantern Books')
  await expect(dialog.getByLabel('Allowed origins')).toHaveValue('https://api.switchboard.example')
  await dialog.getByRole('button', { name: 'Add https://lantern-books.switchboard.example' }).click()
  await dialog.getByLabel('Expires').selectOption('In 7 days')
  await dialog.getByRole('button', { name: 'Generate Key' }).click()

  const shown = page.getByRole('dialog', { name: 'API Key Generated' })
  const secret = (await shown.getByText(/^sb_live_/).textContent()) ?? ''
  expect(secret).toMatch(/^sb_live_[0-9A-Za-z]{36}$/)
  await page.keyboard.press('Escape')
  await page.mouse.click(5, 5)
  await expect(shown).toBeVisible()
  await shown.getByRole('button', { name: 'Copy' }).click()
  await expect(shown.getByRole('button', { name: 'Copied' })).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(secret)
  await expect(shown.getByRole('button', { name: 'Copy', exact: true })).toBeVisible({ timeout: 3_000 })
  await shown.getByRole('button', { name: 'Done' }).click()
  await expect(shown).toHaveCount(0)
  expect(await page.content()).not.toContain(secret)

  await expect(tenant).toContainText('1 key · 1 active')
  await tenant.getByRole('button', { name: /^Lantern Books/ }).click()
  const key = items(page, 'Lantern Books').first()
  await expect(key).toContainText('API Key for Lantern Books')
  await expect(key).toContainText(`sb_live_${secret.slice(8, 12)}…${secret.slice(-4)}`)
  await expect(key).toContainText('api.switchboard.example, lantern-books.switchboard.example')
  await expect(key).toContainText('Expires in 6 days')
  const toggle = key.getByRole('switch', { name: 'API Key for Lantern Books is active' })
  await expect(toggle).toBeChecked()
  await toggle.click()
  await expect(toggle).not.toBeChecked()
  await expect(key).toContainText('Inactive')
  await expect(tenant).toContainText('1 key · 0 active')
  await toggle.click()
  await expect(tenant).toContainText('1 key · 1 active')

  await key.getByRole('button', { name: 'Delete API Key for Lantern Books' }).click()
  const confirm = page.getByRole('dialog', { name: 'Delete API Key' })
  await confirm.getByRole('button', { name: 'Delete' }).click()
  await expect(confirm).toHaveCount(0)
  await expect(tenant).toContainText('No keys')
})

test('by keyboard alone a key is generated, copied, rotated and deleted', async ({ signedIn: page }) => {
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
  await press('Generate Key for Keyboard Works')
  await expect(page.getByLabel('Name')).toBeFocused()
  await page.keyboard.type('Typed')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Copy' })).toBeFocused()
  await page.keyboard.press('Space')
  await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible()
  await press('Done')
  await expect(page.getByRole('button', { name: 'Generate Key for Keyboard Works' })).toBeFocused()

  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Enter')
  await press('Rotate Typed')
  await expect(page.getByLabel('The old key goes on working for')).toBeFocused()
  await press('Rotate Key')
  await expect(page.getByRole('dialog', { name: 'API Key Generated' })).toBeVisible()
  await press('Done')
  await expect(items(page, 'Keyboard Works')).toHaveCount(2)
  await press('Delete Typed')
  await press('Delete')
  await expect(items(page, 'Keyboard Works')).toHaveCount(1)
})

test('a rotated key stands with its successor, and its grace is extended and ended', async ({ signedIn: page }) => {
  const tenant = await makeTenant(page, 'Orchard Rotation')
  const old = await makeKey(page, tenant, { name: 'Widget' })
  await makeKey(page, tenant, { name: 'Between' })
  await callApi(page, 'POST', `api-keys/${old}/rotate`, { grace_seconds: 3_600, version: 1 })
  await page.goto(`/keys?q=orchard&open=${tenant}`)
  const keys = items(page, 'Orchard Rotation')
  await expect(keys).toHaveCount(3)
  const replaced = keys.nth(1)
  await expect(replaced).toContainText(`••••${old.slice(-4)}`)
  await expect(replaced).toContainText(/Grace ends in (59 minutes|1 hour)/)
  await expect(replaced).toContainText('Replaced by')
  await replaced.getByRole('button', { name: 'Extend grace of Widget' }).click()
  await page.getByLabel('Counted from the rotation').selectOption('1 day')
  await page.getByRole('button', { name: 'Extend', exact: true }).click()
  await expect(replaced).toContainText(/Grace ends in 23 hours/)
  await replaced.getByRole('button', { name: 'End grace of Widget', exact: true }).click()
  await page.getByRole('button', { name: 'End grace', exact: true }).click()
  await expect(replaced).toContainText('Revoked')
  await expect(replaced.getByRole('switch')).toHaveCount(0)
})

test('a key that cannot be rotated says why, and after it has ended tells who still used it', async ({
  signedIn: page,
  server,
}) => {
  const tenant = await makeTenant(page, 'Quarry Reasons')
  const old = await makeKey(page, tenant, { name: 'Kiosk' })
  const idle = await makeKey(page, tenant, { name: 'Idle' })
  await callApi(page, 'PATCH', `api-keys/${idle}/toggle`, { is_active: false })
  await callApi(page, 'POST', `api-keys/${old}/rotate`, { grace_seconds: 900, version: 1 })
  const db = connect(urlOfRunning(server.dataDir) ?? '', { max: 1 })
  const counted = { api_key_id: old, day: '2026-11-20' }
  await db
    .insertInto('api_key_outcomes')
    .values({ ...counted, outcome: 'valid', count: 41 })
    .execute()
  await db.updateTable('api_keys').set({ last_used_at: new Date() }).where('id', '=', old).execute()

  await page.goto(`/keys?q=quarry&open=${tenant}`)
  const replaced = items(page, 'Quarry Reasons').filter({ hasText: 'Replaced by' })
  await expect(replaced).toContainText('41 calls since the rotation')
  await callApi(page, 'POST', `api-keys/${old}/end-grace`)
  await db
    .insertInto('api_key_outcomes')
    .values({ ...counted, outcome: 'revoked', count: 2 })
    .execute()
  await db.destroy()
  await page.reload()
  await expect(replaced).toContainText('41 calls since the rotation, 2 calls refused since it ended')
  await expect(replaced).toContainText('The old key of Kiosk was still in use when it ended (2 calls refused).')

  const rotate = page.getByRole('button', { name: 'Rotate Idle' })
  await rotate.hover()
  await expect(page.getByText('This key is inactive. Activate it before rotating it.')).toBeVisible()
  await expect(rotate).toHaveAttribute('aria-disabled', 'true')
  await rotate.press('Enter')
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('a rotation based on a key that has changed says so and goes on after a reload', async ({
  signedIn: page,
  problems,
}) => {
  problems.expected.push(/status of 412/)
  const tenant = await makeTenant(page, 'Stale Works')
  const key = await makeKey(page, tenant, { name: 'Shared' })
  await page.goto(`/keys?q=stale+works&open=${tenant}`)
  await page.getByRole('button', { name: 'Rotate Shared' }).click()
  await callApi(page, 'PATCH', `api-keys/${key}/toggle`, { is_active: false })
  await callApi(page, 'PATCH', `api-keys/${key}/toggle`, { is_active: true })
  const dialog = page.getByRole('dialog', { name: 'Rotate API Key' })
  await dialog.getByRole('button', { name: 'Rotate Key' }).click()
  await expect(dialog).toContainText('Somebody else has changed this key since you opened it. Nothing was rotated.')
  await expect(dialog.getByRole('button', { name: 'Rotate Key' })).toBeDisabled()
  await expectAccessible(page)
  await page.screenshot({ path: '.reports/keys-stale-rotation.png' })
  await dialog.getByRole('button', { name: 'Reload' }).click()
  await dialog.getByRole('button', { name: 'Rotate Key' }).click()
  await page.getByRole('button', { name: 'Done' }).click()
  await expect(items(page, 'Stale Works')).toHaveCount(2)
})

test('at 1280 pixels everything that can be done with a key is in view', async ({ signedIn: page }) => {
  await page.setViewportSize({ width: 1280, height: 800 })
  const tenant = await makeTenant(page, `Narrow Works ${'W'.repeat(40)}`)
  const old = await makeKey(page, tenant, {
    name: 'W'.repeat(100),
    allowed_origins: ['https://a-rather-long-name.example.com', 'https://another-rather-long-name.example.com'],
  })
  await callApi(page, 'POST', `api-keys/${old}/rotate`, { grace_seconds: 3_600, version: 1 })
  await page.goto(`/keys?q=narrow+works&open=${tenant}`)
  const buttons = page.getByRole('list', { name: /^API keys of Narrow Works/ }).getByRole('button')
  await expect(buttons).toHaveCount(7)
  for (const button of await buttons.all()) await expect(button).toBeInViewport({ ratio: 1 })
  await page.screenshot({ path: '.reports/keys-1280.png' })
})

test('origins are judged one by one by the rule of the verifier', async ({ signedIn: page }) => {
  await makeTenant(page, 'Origin Works')
  await page.goto('/tenants?q=origin+works')
  await page.getByRole('button', { name: 'Generate API key for Origin Works' }).click()
  const dialog = page.getByRole('dialog', { name: 'Generate API Key' })
  const origins = dialog.getByLabel('Allowed origins')
  await origins.fill('Shop.Example.com/, https://*.example.org, http://plain.example, ,')
  await expect(dialog.getByRole('listitem').first()).toHaveText('https://shop.example.com')
  await expect(dialog.getByText('http://plain.example: Use https.')).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Generate Key' })).toBeDisabled()
  await origins.fill('shop.example.com, https://*.example.org')
  const tested = dialog.getByLabel('Test an origin')
  await tested.fill('https://example.org')
  await expect(dialog.getByText('Refused')).toBeVisible()
  await dialog.getByRole('button', { name: 'Add https://example.org' }).click()
  await expect(dialog.getByText('Allowed', { exact: true })).toBeVisible()
  await origins.fill('')
  await expect(dialog.getByText('Any origin may use this key.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Generate Key' }).click()
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('button', { name: 'Delete Origin Works' }).click()
  await expect(page.getByRole('dialog')).toContainText('1 API key')
})

test('a toggle that fails is undone and says why', async ({ signedIn: page, problems }) => {
  problems.expected.push(/status of 409/)
  const tenant = await makeTenant(page, 'Undo Works')
  await makeKey(page, tenant, { name: 'Stubborn' })
  await page.goto(`/keys?q=undo+works&open=${tenant}`)
  await page.route('**/toggle', (route) => route.fulfill({ status: 409, json: { detail: 'Not today.' } }))
  const toggle = page.getByRole('switch', { name: 'Stubborn is active' })
  await toggle.click()
  await expect(page.getByText('Not today.')).toBeVisible()
  await expect(toggle).toBeChecked()
})

test('keys that cannot be loaded say so', async ({ signedIn: page, problems }) => {
  problems.expected.push(/status of 409/)
  const tenant = await makeTenant(page, 'Broken Works')
  await page.route('**/api-keys/*', (route) => route.fulfill({ status: 409, json: { detail: 'Something to read.' } }))
  await page.goto(`/keys?q=broken+works&open=${tenant}`)
  await expect(page.getByText('Error loading keys')).toBeVisible()
  await expect(page.getByText('Failed to load API keys: Something to read.')).toBeVisible()
})

for (const width of [1440, 390]) {
  test(`axe finds nothing on keys at ${width} pixels, whatever their names`, async ({ signedIn: page }) => {
    await page.setViewportSize({ width, height: 900 })
    const name = `Axe ${width} <img src=x onerror="window.hacked=true"> \u202Egnol ${'W'.repeat(60)}`
    const tenant = idOf(
      await callApi(page, 'POST', 'tenants', { name, subdomain: `axe-keys-${width}`, tenant_type: 'product' }),
    )
    const old = await makeKey(page, tenant, {
      name: '"><script>window.hacked=true</script>',
      description: 'W'.repeat(200),
    })
    await callApi(page, 'POST', `api-keys/${old}/rotate`, { grace_seconds: 3_600, version: 1 })
    const off = await makeKey(page, tenant, {
      name: 'Off',
      allowed_origins: ['https://a.example', 'https://b.example'],
    })
    await callApi(page, 'PATCH', `api-keys/${off}/toggle`, { is_active: false })
    await page.goto(`/keys?q=axe-keys-${width}&open=${tenant}`)
    await expect(page.getByRole('list', { name: /API keys of/ }).getByRole('listitem')).toHaveCount(3)
    await expectAccessible(page)
    expect(await page.evaluate(() => 'hacked' in window)).toBe(false)
    expect(
      await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
    ).toBeLessThanOrEqual(0)
    await page.screenshot({ path: `.reports/keys-${width}.png`, fullPage: true })

    for (const action of [/^Rotate ">/, 'Use of Off', 'Delete Off', /^Extend grace/, /^End grace/]) {
      await page.getByRole('button', { name: action }).click()
      await expect(page.getByRole('dialog')).toBeVisible()
      await expectAccessible(page)
      await page.screenshot({ path: `.reports/keys-${width}-${String(action).replace(/\W+/g, '-')}.png` })
      await page.keyboard.press('Escape')
      await expect(page.getByRole('dialog')).toHaveCount(0)
    }
    await page.getByRole('button', { name: /^Generate Key for/ }).click()
    await expect(page.getByRole('dialog')).toBeVisible()
    await expectAccessible(page)
    await page.screenshot({ path: `.reports/keys-${width}-generate.png` })
    await page.getByRole('dialog').getByRole('button', { name: 'Generate Key' }).click()
    await expect(page.getByRole('dialog', { name: 'API Key Generated' })).toBeVisible()
    await expectAccessible(page)
    await page.screenshot({ path: `.reports/keys-${width}-secret.png` })
  })
}
