import type { Page } from '@playwright/test'
import { callApi, expect, expectAccessible, expectNoSidewaysScroll, test } from './fixtures.ts'
import { chooseAction, makeTenant } from './tenant-keys.ts'

const box = (page: Page) => page.getByLabel('Template', { exact: true })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name })
const history = (page: Page) => page.getByRole('table', { name: 'Versions' })

/** Saves as a second admin, from any page. */
const saveElsewhere = (page: Page, template: string) => callApi(page, 'PUT', 'prompts/templates/general', { template })

async function edit(page: Page, text: string) {
  await page.goto('/advanced-settings')
  await button(page, 'Edit').click()
  await box(page).fill(text)
}

async function save(page: Page) {
  await button(page, 'Save').click()
  await dialog(page, 'Save Template')
    .getByRole('button', { name: /^Save as Version/ })
    .click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
}

test('the template is found from Settings, edited, checked, previewed for a tenant, compared and saved', async ({
  signedIn: page,
  problems,
}) => {
  problems.expected.push(/status of 422/)
  await makeTenant(page, 'Prompt Bistro', { tenant_type: 'service' })
  await page.goto('/settings')
  await expect(page.getByText(/^Base Templates: .* Version \d+, changed/)).toBeVisible()
  await page.getByRole('link', { name: 'Advanced Settings' }).click()
  await expect(page).toHaveURL('/advanced-settings')
  await expect(page).toHaveTitle('Base Templates · Switchboard')
  await expect(page.getByRole('navigation', { name: 'Breadcrumb' })).toContainText('Settings')
  const sidebar = page.getByRole('navigation', { name: 'Main' })
  await expect(sidebar.getByRole('link', { name: 'Prompt' })).toHaveAttribute('aria-current', 'page')
  await expect(sidebar.getByRole('link', { name: 'Settings' })).not.toHaveAttribute('aria-current')
  await expect(page.getByText('Available variable: goal')).toBeVisible()
  const live = Number(
    (
      await page
        .getByText(/^Version \d+$/)
        .first()
        .textContent()
    )?.replace('Version ', ''),
  )
  await expect(box(page)).toHaveAttribute('readonly')
  await expect(box(page)).toHaveAttribute('rows', '20')
  await expect(page.getByLabel('Preview Goal')).toHaveValue('assist you')
  await expect(button(page, 'Save')).toHaveCount(0)

  await button(page, 'Preview').click()
  const preview = dialog(page, 'Base Template Preview')
  await expect(preview.getByRole('region', { name: 'Rendered template' })).toContainText('assist you')
  await expect(preview.getByRole('button', { name: 'Copy' })).toBeVisible()
  await preview.getByRole('button', { name: 'Close' }).last().click()

  await button(page, 'Edit').click()
  await expect(box(page)).toBeFocused()
  await expect(button(page, 'Save')).toBeDisabled()
  await box(page).fill('Hello\n  {{ goal | shout }}')
  await expect(page.getByRole('alert')).toContainText('Line 2, column 3: undefined filter: shout.')
  await expect(button(page, 'Save')).toBeDisabled()
  await button(page, 'Go to Line 2').click()
  await expect(box(page)).toBeFocused()
  expect(await box(page).evaluate((element: HTMLTextAreaElement) => element.selectionStart)).toBe(8)
  await box(page).fill('Hello {{ gaol }}')
  await expect(page.getByText('The template does not use goal: every tenant gets the same text.')).toBeVisible()
  await expect(page.getByText('Unknown variable: gaol (line 1).')).toBeVisible()
  await expect(page.getByRole('alert')).toHaveCount(0)
  await box(page).fill('x'.repeat(50_001))
  await expect(page.getByRole('alert')).toHaveText('Use at most 50,000 characters.')
  await expect(page.getByText('50,001 / 50,000 characters')).toBeVisible()

  await box(page).fill('Help with {{ goal }} at a {{ tenant_type }} company.')
  await page.getByLabel('Preview as tenant').fill('prompt bis')
  await page.getByRole('option', { name: /Prompt Bistro/ }).click()
  await expect(page.getByLabel('Preview Goal')).toBeDisabled()
  await button(page, 'Preview Draft').click()
  await expect(preview.getByRole('region')).toHaveText('Help with  at a service company.')
  await expect(preview.getByText('Service Company', { exact: true })).toBeVisible()
  await page.keyboard.press('Escape')

  await button(page, 'Save').click()
  const publish = dialog(page, 'Save Template')
  await expect(publish.getByText(/^Used by \d+ active tenants?\.$/)).toBeVisible()
  await expect(publish.getByRole('region', { name: 'Changes in this version' })).toContainText('tenant_type')
  await publish.getByLabel('Note').fill('Shorter')
  await page.keyboard.press('Enter')
  await expect(page.getByText(`Version ${live + 1} is live.`)).toBeVisible()
  await expect(button(page, 'Edit')).toBeVisible()
  await expect(box(page)).toHaveValue('Help with {{ goal }} at a {{ tenant_type }} company.')
  await expect(history(page).getByRole('row').nth(1)).toContainText(`Version ${live + 1}`)
  await expect(history(page).getByRole('row').nth(1)).toContainText('Shorter')
})

test('declared variables are edited beside the template, tried in a preview, saved and compared', async ({
  signedIn: page,
}) => {
  await callApi(page, 'PUT', 'prompts/templates/general', {
    template: 'Goal: {{ goal }} ({{ current_heat_category_name }})',
    declared_variables: { current_heat_category_name: 'general' },
  })
  await page.goto('/advanced-settings')
  const variables = page.getByRole('region', { name: 'Declared variables' })
  await expect(variables).toContainText('current_heat_category_namegeneral')
  await expect(page.getByLabel('current_heat_category_name')).toHaveValue('general')
  await expectAccessible(page)

  await button(page, 'Edit').click()
  await box(page).fill('Goal: {{ goal }} ({{ current_heat_category_name }}) on {{ page_title }}')
  await expect(page.getByText('Unknown variable: page_title (line 1).')).toBeVisible()
  await button(page, 'Add Variable').click()
  await page.getByLabel('Name of variable 2').fill('Page')
  await expect(variables).toContainText('A name has lower-case letters')
  await expect(button(page, 'Save')).toBeDisabled()
  await page.getByLabel('Name of variable 2').fill('page_title')
  await page.getByLabel('Default of variable 2').fill('Home')
  await expect(page.getByText('Unknown variable')).toHaveCount(0)
  await expectAccessible(page)

  await page.reload()
  await expect(page.getByLabel('Default of variable 2')).toHaveValue('Home')
  await page.getByRole('textbox', { name: 'page_title', exact: true }).fill('Prices')
  await button(page, 'Preview Draft').click()
  const preview = dialog(page, 'Base Template Preview')
  await expect(preview.getByRole('region', { name: 'Rendered template' })).toHaveText(
    'Goal: assist you (general) on Prices',
  )
  await page.keyboard.press('Escape')

  await button(page, 'Save').click()
  const changes = dialog(page, 'Save Template').getByRole('region', { name: 'Changes in this version: variables' })
  await expect(changes.locator('ins')).toHaveText(['page_title: Home'])
  await dialog(page, 'Save Template')
    .getByRole('button', { name: /^Save as Version/ })
    .click()
  const live = /\d+/.exec((await page.getByText(/^Version \d+ is live\.$/).textContent()) ?? '')?.[0]
  await expect(variables).toContainText('page_titleHome')

  await page.getByRole('link', { name: `Changes in version ${live}`, exact: true }).click()
  await expect(page.getByRole('region', { name: /: variables$/ })).toContainText('page_title: Home')
})

test('a stale save shows the other admin’s changes and keeps the typed text', async ({
  onDashboard: page,
  problems,
}) => {
  problems.expected.push(/status of 412/)
  await saveElsewhere(page, 'First line\nSecond line {{ goal }}')
  await edit(page, 'First line\nMy second line {{ goal }}')
  await saveElsewhere(page, 'Their first line\nSecond line {{ goal }}')
  await button(page, 'Save').click()
  const publish = dialog(page, 'Save Template')
  await publish.getByRole('button', { name: /^Save as Version/ }).click()
  await expect(publish.getByRole('alert')).toHaveText(/saved version \d+ just now\. Your changes are not saved yet\./)
  const theirs = publish.getByRole('region', { name: /^Changes since version/ })
  await expect(theirs.locator('ins')).toHaveText(['Their', 'first·'])
  await expectAccessible(page)
  await publish.getByRole('button', { name: 'Keep Mine' }).click()
  await expect(publish.getByRole('region', { name: 'Changes in this version' }).locator('ins')).toHaveText([
    'First',
    'My',
    'second·',
  ])
  await publish.getByRole('button', { name: 'Cancel' }).click()
  await expect(box(page)).toHaveValue('First line\nMy second line {{ goal }}')
  await save(page)
  await expect(box(page)).toHaveValue('First line\nMy second line {{ goal }}')

  await edit(page, 'Never to be {{ goal }}')
  await saveElsewhere(page, 'Theirs again {{ goal }}')
  await button(page, 'Save').click()
  await publish.getByRole('button', { name: /^Save as Version/ }).click()
  await publish.getByRole('button', { name: 'Reload' }).click()
  await expect(box(page)).toHaveValue('Theirs again {{ goal }}')
  await expect(button(page, 'Edit')).toBeVisible()
})

test('any two versions are compared, in the address, and an old version is restored', async ({ signedIn: page }) => {
  await saveElsewhere(page, 'Line one\nLine two {{ goal }}\nLine three\tend')
  await saveElsewhere(page, 'Line one\nLine 2 {{ goal }}\nLine three end\nLine four')
  await page.goto('/advanced-settings')
  const newest = history(page)
    .getByRole('link', { name: /^Changes in version/ })
    .first()
  const live = Number((await newest.textContent())?.replace('Version ', ''))
  await chooseAction(page, 'Compare with the Live Version', `version ${live - 1}`)
  await expect(page).toHaveURL(`/advanced-settings/compare?from=${live - 1}&to=${live}`)
  const comparison = page.getByRole('region', { name: /^From version/ })
  await expect(comparison.locator('del')).toHaveText(['two', '→'])
  await expect(comparison.locator('ins')).toHaveText(['2', '·', 'Line four'])
  await page.getByLabel('View').selectOption('Inline')
  await expect(page).toHaveURL(/view=inline/)
  await expect(comparison.getByRole('row')).toHaveCount(6)
  await page.getByLabel('Version', { exact: true }).fill('1')
  await button(page, 'Compare').click()
  await expect(page).toHaveURL(/from=1/)
  await expect(comparison.locator('del').first()).toHaveText('You')
  await page.goBack()
  await expect(page.getByLabel('Version', { exact: true })).toHaveValue(String(live - 1))

  await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link', { name: 'Base Templates' }).click()
  await chooseAction(page, 'Restore', `version ${live - 1}`)
  const restore = dialog(page, `Restore Version ${live - 1}`)
  await expect(restore.locator('ins').first()).toBeVisible()
  await restore.getByRole('button', { name: `Restore as Version ${live + 1}` }).click()
  await expect(page.getByText(`Version ${live + 1} is live.`)).toBeVisible()
  await expect(history(page).getByRole('row').nth(1)).toContainText(`restored from v${live - 1}`)
  await expect(box(page)).toHaveValue('Line one\nLine two {{ goal }}\nLine three\tend')
})

test('leaving an unsaved draft asks first, and the draft survives a reload', async ({ onDashboard: page }) => {
  await edit(page, 'Half a thought {{ goal }}')
  await page.getByRole('complementary').getByRole('link', { name: 'Tenants' }).click()
  const leave = dialog(page, 'Leave Without Saving')
  await expect(leave).toBeVisible()
  await expectAccessible(page)
  await leave.getByRole('button', { name: 'Stay' }).click()
  await expect(page).toHaveURL('/advanced-settings')
  await expect(box(page)).toHaveValue('Half a thought {{ goal }}')

  await page.reload()
  await expect(box(page)).toHaveValue('Half a thought {{ goal }}')
  await expect(page.getByText('Your unsaved draft was restored.')).toBeVisible()

  await page.getByRole('complementary').getByRole('link', { name: 'Tenants' }).click()
  await leave.getByRole('button', { name: 'Leave' }).click()
  await expect(page).toHaveURL('/tenants')
  await page.goto('/advanced-settings')
  await expect(box(page)).toHaveValue('Half a thought {{ goal }}')
  await button(page, 'Cancel').click()
  await dialog(page, 'Discard Changes').getByRole('button', { name: 'Discard' }).click()
  await expect(button(page, 'Edit')).toBeVisible()
  await page.reload()
  await expect(box(page)).not.toHaveValue('Half a thought {{ goal }}')
})

test('signing out deletes the unsaved draft', async ({ onDashboard: page }) => {
  await edit(page, 'Nobody else reads this {{ goal }}')
  await page.getByRole('complementary').getByRole('link', { name: 'Tenants' }).click()
  await dialog(page, 'Leave Without Saving').getByRole('button', { name: 'Leave' }).click()
  await expect(page).toHaveURL('/tenants')
  const stored = () => page.evaluate(() => JSON.stringify(sessionStorage))
  expect(await stored()).toContain('Nobody else reads this')
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(page).toHaveURL(/\/login/)
  expect(await stored()).not.toContain('Nobody else reads this')
})

test('a missing template and a failed load have their own texts', async ({ signedIn: page, problems }) => {
  problems.expected.push(/status of 403/)
  await page.route('**/prompts/templates', (route) => route.fulfill({ status: 200, json: { prompts: [] } }))
  await page.goto('/advanced-settings')
  await expect(page.getByText('No template found')).toBeVisible()
  await expectAccessible(page)
  await page.route('**/prompts/templates', (route) => route.fulfill({ status: 403, json: { detail: 'Not for you.' } }))
  await page.goto('/advanced-settings')
  await expect(page.getByRole('alert')).toContainText('Unable to load prompt configuration')
  await expect(page.getByRole('alert')).toContainText('Not for you.')
})

test('50,000 characters, a word of each line changed, are compared at once', async ({ signedIn: page }) => {
  const lines = (word: string, count: number) =>
    Array.from({ length: count }, (_, n) => `${word} number ${n} of them all, {{ goal }}.`)
      .join('\n')
      .slice(0, 49_000)
  /** Milliseconds from a click on the newest version until the comparison is visible. */
  const compared = async (count: number) => {
    for (const word of ['line', 'row']) await saveElsewhere(page, lines(word, count))
    await page.goto('/advanced-settings')
    const newest = page.getByRole('link', { name: /^Changes in version/ }).first()
    await newest.hover()
    const started = Date.now()
    await newest.click()
    const from = page.getByRole('region', { name: /^From version/ })
    await expect(from.locator('ins').first()).toHaveText('row')
    return Date.now() - started
  }
  const short = await compared(1)
  // A busy machine may hold up one comparison, but not every comparison.
  await expect(async () => {
    expect((await compared(1_250)) - short, `${short} ms for a line`).toBeLessThan(3_000)
  }).toPass()
})

for (const width of [1440, 390]) {
  test(`axe finds nothing on the template, its dialogs and a comparison at ${width} pixels`, async ({
    signedIn: page,
    problems,
  }) => {
    problems.expected.push(/status of 422/)
    await page.setViewportSize({ width, height: 900 })
    await saveElsewhere(page, `Older text for ${width}\n{{ goal }}`)
    await saveElsewhere(page, `Newer text for ${width}\n{{ goal }}`)
    await page.goto('/advanced-settings')
    await expect(box(page)).toBeVisible()
    await expectAccessible(page)
    await button(page, 'Preview').click()
    await expect(dialog(page, 'Base Template Preview').getByText('Goal', { exact: true })).toBeVisible()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await button(page, 'Edit').click()
    await box(page).fill('{% if goal %}')
    await expect(page.getByRole('alert')).toContainText('not closed')
    await expectAccessible(page)
    await box(page).fill('Draft {{ gaol }}')
    await expect(page.getByText(/^Unknown variable/)).toBeVisible()
    await button(page, 'Save').click()
    await expect(dialog(page, 'Save Template').locator('ins').first()).toBeVisible()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await button(page, 'Cancel').click()
    await button(page, 'Discard').click()
    await page.goto('/advanced-settings/compare?from=1')
    await expect(
      page
        .getByRole('region', { name: /^From version 1/ })
        .locator('ins')
        .first(),
    ).toBeVisible()
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
  })
}
