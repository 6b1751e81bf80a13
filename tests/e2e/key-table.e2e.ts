import type { Page } from '@playwright/test'
import { callApi, expect, expectAccessible, expectNoSidewaysScroll, test } from './fixtures.ts'
import { person } from './person.ts'
import { chooseAction, keyRows, makeKey, makeTenant, secretOf, section } from './tenant-keys.ts'
import { setFilter, filterChip } from './tables.ts'

const DAY_MS = 86_400_000
/** Chooses a view, and waits for it: it has another field for the search. */
async function chooseView(page: Page, name: string): Promise<void> {
  const button = page.getByRole('button', { name })
  await button.click()
  await expect(button).toHaveAttribute('aria-pressed', 'true')
}

const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString()

test('every key says its state, and the head of an inactive tenant says why none is active', async ({
  signedIn: page,
}) => {
  const tenant = await makeTenant(page, 'States Works')
  await makeKey(page, tenant, { name: 'Fine' })
  await makeKey(page, tenant, { name: 'Short', expires_at: inDays(3.5) })
  const off = await makeKey(page, tenant, { name: 'Resting' })
  await callApi(page, 'PATCH', `api-keys/${off}/toggle`, { is_active: false })
  const old = await makeKey(page, tenant, { name: 'Turned' })
  await callApi(page, 'POST', `api-keys/${old}/rotate`, { grace_seconds: 604_800 })
  await page.goto(`/keys?tenant_id=${tenant}`)
  await expect(keyRows(page)).toHaveCount(4)
  await expect(page.getByRole('main')).toContainText(/5 of \d+ · 1 old · 4 active/)
  await expect(keyRows(page, 'Fine')).toContainText('Active')
  await expect(keyRows(page, 'Short')).toContainText('Active')
  await expect(keyRows(page, 'Resting')).toContainText('Inactive')
  await page.getByRole('button', { name: /^1 old key of Turned/ }).click()
  await expect(keyRows(page)).toHaveCount(5)
  await expect(page.getByLabel('Replaced key')).toHaveCount(1)
  const names = await page
    .getByRole('button', { name: /^More actions for/ })
    .evaluateAll((all) => all.map((one) => one.ariaLabel))
  expect(new Set(names).size).toBe(names.length)

  await callApi(page, 'PUT', `tenants/${tenant}`, { status: 'inactive' })
  await page.reload()
  await expect(keyRows(page, 'Tenant inactive')).toHaveCount(4)
  await chooseView(page, 'By tenant')
  await page.getByRole('searchbox').fill('States Works')
  const head = section(page, 'States Works')
  await expect(head).toContainText('5 keys · 0 active')
  await expect(head.getByText('Tenant inactive')).toBeVisible()
  await expectAccessible(page)
  await head.getByRole('link', { name: 'States Works' }).click()
  await expect(page).toHaveURL(`/tenants/${tenant}/keys`)
})

test('filters, order and view stay in the address', async ({ signedIn: page }) => {
  const tenant = await makeTenant(page, 'Address Works')
  await makeKey(page, tenant, { name: 'Alpha', allowed_origins: ['https://alpha.example'] })
  await makeKey(page, tenant, { name: 'Beta', expires_at: inDays(2), description: 'Second shop' })
  await page.goto('/keys')
  await chooseView(page, 'All keys')
  await page.getByRole('searchbox').fill('alpha.example')
  await expect(keyRows(page)).toHaveCount(1)
  await expect(page).toHaveURL('/keys?view=all&q=alpha.example')
  await page.goto(`/keys?tenant_id=${tenant}`)
  await setFilter(page, 'Status', 'Active, expires soon')
  await expect(keyRows(page)).toHaveCount(1)
  await expect(keyRows(page)).toContainText('Beta')
  await page.goBack()
  await expect(keyRows(page)).toHaveCount(2)
  await page.getByRole('columnheader', { name: 'Key' }).getByRole('button').click()
  await expect(keyRows(page).first()).toContainText('Alpha')
  await page.getByRole('columnheader', { name: 'Key' }).getByRole('button').click()
  await expect(keyRows(page).first()).toContainText('Beta')
  await expect(page).toHaveURL(`/keys?tenant_id=${tenant}&sort=-name`)
  await setFilter(page, 'Origins', 'Any origin')
  await expect(keyRows(page)).toHaveCount(1)
  await filterChip(page, 'Tenant Address Works').click()
  await expect(page).toHaveURL('/keys?sort=-name&origins=any')
  await page.getByRole('button', { name: 'By tenant' }).click()
  await expect(page).toHaveURL('/keys')
  await setFilter(page, 'Environment', 'Test')
  await expect(page).toHaveURL('/keys?environment=test')
  await expect(page.getByRole('heading', { name: 'API Keys' })).toBeFocused()
  await chooseView(page, 'By tenant')
  await chooseView(page, 'All keys')
  await page.reload()
  await expect(page.getByRole('button', { name: 'All keys' })).toHaveAttribute('aria-pressed', 'true')
})

test('a key in use is deactivated after a question, with Undo', async ({ signedIn: page, server }) => {
  const tenant = await makeTenant(page, 'Toggle Works')
  const key = await callApi(page, 'POST', 'api-keys', { tenant_id: tenant, name: 'Till' })
  const use = async () => {
    const answer = await page.request.post(`${server.aiUrl}/v1/keys/verify`, { data: { api_key: secretOf(key) } })
    return answer.status()
  }
  await page.goto(`/keys?tenant_id=${tenant}`)
  await chooseAction(page, 'Deactivate', 'Till')
  await expect(keyRows(page, 'Till')).toContainText('Inactive')
  await expect(page.getByText('Till was deactivated. Its calls are refused within a second.')).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(keyRows(page, 'Till')).toContainText('Active')
  await expect.poll(use).toBe(200)
  await expect(async () => {
    await page.reload()
    await expect(keyRows(page, 'Till')).toBeVisible()
    await expect(keyRows(page, 'Till')).toContainText('just now', { timeout: 1_000 })
  }).toPass()
  await chooseAction(page, 'Deactivate', 'Till')
  const question = page.getByRole('dialog', { name: 'Deactivate API Key' })
  await expect(question).toContainText('was used in the last two hours')
  await expect(keyRows(page, 'Till')).toContainText('Active')
  await question.getByRole('button', { name: 'Deactivate' }).click()
  await expect(keyRows(page, 'Till')).toContainText('Inactive')
  await expect.poll(use).toBe(401)
})

for (const width of [1440, 1280, 1024]) {
  test(`at ${width} pixels nothing that matters is cut off`, async ({ onDashboard: page }) => {
    await page.setViewportSize({ width, height: 800 })
    const tenant = await makeTenant(page, `Narrow ${width} ${'W'.repeat(40)}`)
    const old = await makeKey(page, tenant, {
      name: 'W'.repeat(100),
      allowed_origins: ['https://shop.brynlow.example', 'https://b.example.com'],
    })
    // Beside the mask of a successor is the number of its old keys.
    await callApi(page, 'POST', `api-keys/${old}/rotate`, { grace_seconds: 3_600 })
    await callApi(page, 'PUT', `tenants/${tenant}`, { status: 'inactive' })
    await page.goto(`/keys?tenant_id=${tenant}`)
    const row = keyRows(page)
    await expect(row.getByRole('cell')).not.toHaveCount(0)
    for (const shown of [row.getByText('Tenant inactive'), row.getByText(/^sb_live_/)]) {
      const cut = await shown.evaluate((element) => {
        const cell = element.closest('td')?.getBoundingClientRect()
        const hidden = element.scrollWidth - element.clientWidth
        return hidden + Math.max(0, element.getBoundingClientRect().right - (cell?.right ?? 0))
      })
      expect(cut).toBe(0)
    }
    await expect(row.getByText('shop.brynlow.example')).toBeVisible({ visible: width >= 1280 })
    await expect(row.getByRole('button', { name: /^More actions/ })).toBeInViewport({ ratio: 1 })
    expect((await row.boundingBox())?.height).toBeLessThanOrEqual(58)
    await expectNoSidewaysScroll(page)
  })
}

for (const forcedColors of ['none', 'active'] as const) {
  test(`at 320 pixels a key has two lines and one menu, forced colors ${forcedColors}`, async ({ signedIn: page }) => {
    await page.setViewportSize({ width: 320, height: 700 })
    await page.emulateMedia({ forcedColors })
    const tenant = await makeTenant(page, `Pocket keys ${forcedColors}`)
    await makeKey(page, tenant, { name: `Pocket 🔑 ${'مفتاح الموقع '.repeat(6)}` })
    await page.goto(`/keys?tenant_id=${tenant}`)
    await expect(page.getByRole('list', { name: 'API Keys' }).getByRole('listitem')).toHaveCount(1)
    await expectNoSidewaysScroll(page)
    if (forcedColors === 'none') await expectAccessible(page)
    // By mouse, and in forced colors by keyboard.
    const { click, enter, clicks, keys } = person(page)
    const choose = forcedColors === 'none' ? click : enter
    await choose(page.getByRole('button', { name: /^More actions for Pocket/ }))
    await choose(page.getByRole('dialog').getByRole('button', { name: 'Deactivate' }))
    await expect(page.getByRole('list', { name: 'API Keys' })).toContainText('Inactive')
    expect(clicks()).toBeLessThanOrEqual(2)
    expect(keys()).toBeLessThanOrEqual(24)
  })
}
