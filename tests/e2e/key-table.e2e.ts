import { callApi, expect, expectAccessible, expectNoSidewaysScroll, test } from './fixtures.ts'
import { person } from './person.ts'
import { keyRows, makeKey, makeTenant, secretOf } from './tenant-keys.ts'
import { setFilter, filterChip } from './tables.ts'

const DAY_MS = 86_400_000
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString()

test('every key says its state, and an inactive tenant is activated where its keys are', async ({ signedIn: page }) => {
  const tenant = await makeTenant(page, 'States Works')
  await makeKey(page, tenant, { name: 'Fine' })
  await makeKey(page, tenant, { name: 'Short', expires_at: inDays(3.5) })
  const off = await makeKey(page, tenant, { name: 'Resting' })
  await callApi(page, 'PATCH', `api-keys/${off}/toggle`, { is_active: false })
  const old = await makeKey(page, tenant, { name: 'Turned' })
  await callApi(page, 'POST', `api-keys/${old}/rotate`, { grace_seconds: 604_800, version: 1 })
  await page.goto(`/keys?tenant_id=${tenant}`)
  await expect(keyRows(page)).toHaveCount(4)
  await expect(page.getByRole('main')).toContainText('5 keys (1 old) · 4 working')
  await expect(keyRows(page, 'Fine')).toContainText('Working')
  await expect(keyRows(page, 'Short')).toContainText('Expires in 3 days')
  await expect(keyRows(page, 'Resting')).toContainText('Switched off')
  await page.getByRole('button', { name: /^1 old key of Turned/ }).click()
  await expect(keyRows(page)).toHaveCount(5)
  await expect(keyRows(page, /In grace until \w{3} \d/)).toHaveCount(1)
  const names = await page
    .getByRole('button', { name: /^More actions for/ })
    .evaluateAll((all) => all.map((one) => one.ariaLabel))
  expect(new Set(names).size).toBe(names.length)

  await callApi(page, 'PUT', `tenants/${tenant}`, { status: 'inactive' })
  await page.reload()
  await expect(keyRows(page, 'Blocked: tenant inactive')).toHaveCount(4)
  await page.getByRole('button', { name: 'By tenant' }).click()
  await page.getByRole('searchbox').fill('States Works')
  await expect(page.getByText('5 keys · 0 working')).toBeVisible()
  await expect(page.getByText('Tenant inactive: all keys refused')).toBeVisible()
  await page.getByRole('button', { name: 'Reactivate States Works' }).click()
  await expect(page.getByText('5 keys · 4 working')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: /^States Works/ }).click()
  await page.getByRole('link', { name: 'Open States Works' }).click()
  await expect(page).toHaveURL(`/tenants/${tenant}/keys`)
})

test('filters, order and view stay in the address', async ({ signedIn: page }) => {
  const tenant = await makeTenant(page, 'Address Works')
  await makeKey(page, tenant, { name: 'Alpha', allowed_origins: ['https://alpha.example'] })
  await makeKey(page, tenant, { name: 'Beta', expires_at: inDays(2), description: 'Second shop' })
  await page.goto('/keys')
  await page.getByRole('searchbox').fill('alpha.example')
  await expect(keyRows(page)).toHaveCount(1)
  await expect(page).toHaveURL('/keys?q=alpha.example')
  await page.goto(`/keys?tenant_id=${tenant}`)
  await setFilter(page, 'Status', 'Expiring')
  await expect(keyRows(page)).toHaveCount(1)
  await expect(keyRows(page)).toContainText('Beta')
  await page.goBack()
  await expect(keyRows(page)).toHaveCount(2)
  await page.getByRole('columnheader', { name: 'Name' }).getByRole('button').click()
  await expect(keyRows(page).first()).toContainText('Alpha')
  await page.getByRole('columnheader', { name: 'Name' }).getByRole('button').click()
  await expect(keyRows(page).first()).toContainText('Beta')
  await expect(page).toHaveURL(`/keys?tenant_id=${tenant}&sort=-name`)
  await setFilter(page, 'Origins', 'Any origin')
  await expect(keyRows(page)).toHaveCount(1)
  await filterChip(page, 'Tenant Address Works').click()
  await expect(page).toHaveURL('/keys?sort=-name&origins=any')
  await page.getByRole('button', { name: 'By tenant' }).click()
  await expect(page).toHaveURL('/keys?view=tenants')
  await page.reload()
  await expect(page.getByRole('button', { name: 'By tenant' })).toHaveAttribute('aria-pressed', 'true')
})

test('a switch asks for a key in use, says what it did, and can be undone', async ({ signedIn: page, server }) => {
  const tenant = await makeTenant(page, 'Switch Works')
  const key = await callApi(page, 'POST', 'api-keys', { tenant_id: tenant, name: 'Till' })
  const use = async () => {
    const answer = await page.request.post(`${server.aiUrl}/v1/keys/verify`, { data: { api_key: secretOf(key) } })
    return answer.status()
  }
  await page.goto(`/keys?tenant_id=${tenant}`)
  const toggle = page.getByRole('switch', { name: /^Till ending \w{4} is active$/ })
  let calls = 0
  page.on('request', (request) => (calls += request.url().endsWith('/toggle') ? 1 : 0))
  await toggle.dblclick()
  await expect(toggle).not.toBeChecked()
  await expect(page.getByText('Till is switched off. Its calls are refused within a second.')).toBeVisible()
  expect(calls).toBe(1)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(toggle).toBeChecked()
  await expect.poll(use, { timeout: 3_000 }).toBe(200)
  await expect(async () => {
    await page.reload()
    await expect(keyRows(page, 'Till')).toContainText('just now', { timeout: 1_000 })
  }).toPass()
  await toggle.click()
  const question = page.getByRole('dialog', { name: 'Switch off API key' })
  await expect(question).toContainText('was used in the last two hours')
  await expect(toggle).toBeChecked()
  await question.getByRole('button', { name: 'Switch off' }).click()
  await expect(toggle).not.toBeChecked()
  await expect.poll(use, { timeout: 3_000 }).toBe(401)
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
    await callApi(page, 'POST', `api-keys/${old}/rotate`, { grace_seconds: 3_600, version: 1 })
    await callApi(page, 'PUT', `tenants/${tenant}`, { status: 'inactive' })
    await page.goto(`/keys?tenant_id=${tenant}`)
    const row = keyRows(page)
    await expect(row.getByRole('cell')).not.toHaveCount(0)
    for (const shown of [row.getByText('Blocked: tenant inactive'), row.getByText(/^sb_live_/)]) {
      const cut = await shown.evaluate((element) => {
        const cell = element.closest('td')?.getBoundingClientRect()
        const hidden = element.scrollWidth - element.clientWidth
        return hidden + Math.max(0, element.getBoundingClientRect().right - (cell?.right ?? 0))
      })
      expect(cut).toBe(0)
    }
    await expect(row.getByText('shop.brynlow.example')).toBeVisible({ visible: width >= 1280 })
    await expect(row.getByRole('switch')).toBeInViewport({ ratio: 1 })
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
    await choose(page.getByRole('dialog').getByRole('button', { name: 'Switch off' }))
    await expect(page.getByRole('list', { name: 'API Keys' })).toContainText('Switched off')
    expect(clicks()).toBeLessThanOrEqual(2)
    expect(keys()).toBeLessThanOrEqual(24)
  })
}
