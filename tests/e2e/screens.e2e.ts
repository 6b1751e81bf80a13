import { expect, expectAccessible, expectNoSidewaysScroll, test } from './fixtures.ts'
import { chooseAction, makeTenant } from './tenant-keys.ts'

/** Text that has broken pages before: markup, script, direction, length, no place to break. */
const AWKWARD = [
  '<img src=x onerror="window.hacked = true">',
  '"><script>window.hacked = true</script>',
  "javascript:window.hacked=true//'",
  '{{constructor.constructor("window.hacked = true")()}}',
  '\u200Fmarks\u200E and مرحبا بالعالم',
  'W'.repeat(120),
  '👩‍👩‍👧‍👦 Z̸̢͇͌a̴l̵g̶o̷ ﷽',
  "'; drop table tenants; --",
]

test('awkward names are shown unchanged, run no script and break no screen', async ({ signedIn: page }) => {
  const dialogs: string[] = []
  page.on('dialog', (dialog) => void dialogs.push(dialog.message()))
  for (const [n, name] of AWKWARD.entries()) {
    await makeTenant(page, name, { subdomain: `awkward-${n}` })
  }
  await page.goto('/tenants?q=awkward-&sort=subdomain')
  for (const name of AWKWARD) await expect(page.getByRole('link', { name, exact: true })).toHaveText(name)
  await expectAccessible(page)

  for (const name of AWKWARD) {
    await chooseAction(page, 'Edit', name)
    await expect(page.getByLabel('Tenant Name')).toHaveValue(name)
    await page.getByRole('button', { name: 'Cancel' }).click()
    await chooseAction(page, 'Delete', name)
    await expect(page.getByRole('dialog').getByText(name)).toBeVisible()
    await page.getByRole('button', { name: 'Cancel' }).click()
  }
  expect(dialogs).toEqual([])
  expect(await page.evaluate(() => 'hacked' in window)).toBe(false)
  await expectNoSidewaysScroll(page)
})

for (const width of [1440, 390]) {
  test(`axe finds nothing at ${width} pixels, in either theme, on any screen and dialog`, async ({
    onDashboard: page,
  }) => {
    await page.setViewportSize({ width, height: 900 })
    await makeTenant(page, `Seen at ${width}`, { subdomain: `seen-${width}`, tenant_type: 'service' })
    await page.goto(`/tenants?q=seen-${width}`)
    await expect(page.getByRole('link', { name: `Seen at ${width}`, exact: true })).toBeVisible()
    await expectAccessible(page)

    const open = async (action: 'Edit' | 'Delete') => {
      await page.getByRole('button', { name: `More actions for Seen at ${width}` }).click()
      await expectAccessible(page)
      await page
        .getByRole('button', { name: action, exact: true })
        .or(page.getByRole('menuitem', { name: action, exact: true }))
        .click()
    }
    for (const [action, title] of [
      ['Edit', 'Edit Tenant'],
      ['Delete', 'Delete Tenant'],
    ] as const) {
      await open(action)
      await expect(page.getByRole('dialog', { name: title })).toBeVisible()
      await expectAccessible(page)
      await page.keyboard.press('Escape')
      await expect(page.getByRole('dialog')).toHaveCount(0)
    }
    await page.goto('/tenants/create')
    await page.getByLabel('Subdomain').fill('An Example')
    await expectAccessible(page)
  })
}

test('the empty console invites to create the first tenant', async ({ signedIn: page }) => {
  await page.route('**/api/v1/admin/tenants?*', (route) =>
    route.fulfill({ status: 200, json: [], headers: { 'x-total-count': '0', 'x-page-start': '0' } }),
  )
  await page.goto('/tenants')
  await expect(page.getByText('No tenants found. Create your first tenant to get started.')).toBeVisible()
  await expectAccessible(page)
})
