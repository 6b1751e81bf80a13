import type { Page } from '@playwright/test'
import { callApi, expect, expectAccessible, expectNoSidewaysScroll, test } from './fixtures.ts'
import { holdAnswers } from './held-answers.ts'
import { makeTask } from './task-records.ts'
import { chooseAction, idOf, keyRows, makeKey, makeTenant, makeTenants, makeUser } from './tenant-keys.ts'
import { setFilter } from './tables.ts'

const rows = (page: Page) =>
  page.getByRole('row').filter({ has: page.getByRole('checkbox', { name: /^Select (?!all)/ }) })
const box = (page: Page, name: string) => page.getByRole('checkbox', { name: `Select ${name}`, exact: true })
const bar = (page: Page) => page.getByRole('region', { name: 'Selection' })
const dialog = (page: Page) => page.getByRole('dialog')

test('rows are selected by mouse, range and keyboard, over pages, until the filters change', async ({
  signedIn: page,
}) => {
  await makeTenants(page, 'Ranger', 27)
  await page.goto('/tenants?q=ranger&sort=name&limit=25')
  await box(page, 'Ranger 02').check()
  await box(page, 'Ranger 05').click({ modifiers: ['Shift'] })
  await expect(bar(page).getByText('4 selected').last()).toBeVisible()
  await box(page, 'Ranger 03').focus()
  await page.keyboard.press('Space')
  await expect(box(page, 'Ranger 03')).not.toBeChecked()
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
  await expect(bar(page).getByText('25 selected').last()).toBeVisible()
  await page.getByRole('link', { name: 'Next' }).click()
  await box(page, 'Ranger 27').check()
  await expect(bar(page).getByText('26 selected').last()).toBeVisible()
  await setFilter(page, 'Status', 'Active')
  await expect(page).toHaveURL(/status=active/)
  await expect(bar(page)).toHaveCount(0)
})

test('the rows before a search are not selected all together', async ({ signedIn: page }) => {
  await makeTenants(page, 'Tardy', 2)
  await page.goto('/tenants')
  const all = page.getByRole('checkbox', { name: 'Select all on this page' })
  await expect(all).toBeEnabled()
  const release = await holdAnswers(page, '**/tenants?q=tardy*')
  await page.getByRole('searchbox').fill('tardy')
  await expect(page).toHaveURL('/tenants?q=tardy')
  await expect(all).toBeDisabled()
  release()
  await all.check()
  await expect(bar(page).getByText('2 selected').last()).toBeVisible()
})

test('all matching rows are suspended, then deleted by typing their number', async ({ signedIn: page }) => {
  await makeTenants(page, 'Manyfold', 26)
  await makeTenant(page, 'Bystander of many')
  await page.goto('/tenants?q=manyfold&sort=name&limit=25')
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
  await bar(page).getByRole('button', { name: 'Select all 26' }).click()
  await expect(bar(page).getByText('26 selected').last()).toBeVisible()
  await expectAccessible(page)
  await bar(page).getByRole('button', { name: 'Suspend…' }).click()
  await expect(dialog(page)).toContainText('Their keys are refused and their tasks are skipped within a second')
  await dialog(page).getByRole('button', { name: 'Suspend' }).click()
  await expect(page.getByText('26 tenants were suspended.')).toBeVisible()
  await expect(bar(page)).toHaveCount(0)
  await expect(rows(page).filter({ hasText: 'Inactive' })).toHaveCount(25)

  const release = await holdAnswers(page, '**/tenants/ids*')
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
  await bar(page).getByRole('button', { name: 'Select all 26' }).click()
  await expect(bar(page).getByRole('button', { name: 'Delete' })).toBeDisabled()
  release()
  await bar(page).getByRole('button', { name: 'Delete' }).click()
  const confirm = dialog(page).getByRole('button', { name: 'Delete' })
  await expect(confirm).toBeDisabled()
  await dialog(page).getByLabel('Type 26 to delete them').fill('25')
  await expect(confirm).toBeDisabled()
  await dialog(page).getByLabel('Type 26 to delete them').fill('26')
  await expectAccessible(page)
  await confirm.click()
  await expect(page.getByText('26 tenants were deleted.')).toBeVisible()
  await expect(page.getByText('No tenants match.')).toBeVisible()
  await page.goto('/tenants?q=bystander+of+many')
  await expect(box(page, 'Bystander of many')).toBeVisible()
})

test('refused rows are listed with their reason, and the others succeed', async ({ signedIn: page }) => {
  await makeTenants(page, 'Refusals', 2)
  await page.goto('/tenants?q=refusals&sort=name')
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
  const tenants = await callApi(page, 'GET', 'tenants?q=refusals+01&limit=1')
  if (!Array.isArray(tenants)) throw new Error('no tenants')
  await callApi(page, 'DELETE', `tenants/${idOf(tenants[0])}`)
  await bar(page).getByRole('button', { name: 'Suspend…' }).click()
  await dialog(page).getByRole('button', { name: 'Suspend' }).click()
  await expect(dialog(page)).toContainText('1 tenant was suspended.')
  await expect(dialog(page).getByRole('list', { name: 'Refused' })).toContainText('Tenant not found')
  await expectAccessible(page)
  await dialog(page).getByRole('button', { name: 'Close' }).last().click()
  await expect(rows(page).filter({ hasText: 'Refusals 02' })).toContainText('Inactive')
  await expect(bar(page)).toHaveCount(0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('1 tenant was reactivated.')).toBeVisible()
})

test('a failed call can be continued; finished rows stay finished', async ({ signedIn: page, problems }) => {
  problems.expected.push(/status of 409/)
  await makeTenants(page, 'Onwards', 2)
  await page.goto('/tenants?q=onwards')
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
  await bar(page).getByRole('button', { name: 'Suspend…' }).click()
  await page.route('**/tenants/bulk*', (route) =>
    route.fulfill({ status: 409, json: { detail: 'Something to read.' } }),
  )
  await dialog(page).getByRole('button', { name: 'Suspend' }).click()
  await expect(dialog(page).getByRole('alert')).toHaveText('Something to read.')
  await expect(dialog(page)).toContainText('0 tenants were suspended. 2 not processed.')
  await page.unroute('**/tenants/bulk*')
  await dialog(page).getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByText('2 tenants were suspended.')).toBeVisible()
})

test('the running dialog blocks navigation and shows its progress', async ({ signedIn: page }) => {
  await makeTenants(page, 'Midway', 2)
  await page.goto('/users')
  await page.getByRole('complementary').getByRole('link', { name: 'Tenants' }).click()
  // By its name: the search field of the users page exists for a moment longer.
  await page.getByRole('searchbox', { name: 'Search name or subdomain' }).fill('midway')
  await expect(page).toHaveURL('/tenants?q=midway')
  await expect(rows(page)).toHaveCount(2)
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
  const answer = Promise.withResolvers<void>()
  await page.route('**/tenants/bulk*', async (route) => {
    await answer.promise
    await route.continue()
  })
  await bar(page).getByRole('button', { name: 'Suspend…' }).click()
  await dialog(page).getByRole('button', { name: 'Suspend' }).click()
  await expect(dialog(page).getByRole('button', { name: 'Stop' })).toBeVisible()
  await page.evaluate(() => history.go(-2))
  await expect(page.getByText('Stop the running change before leaving. 0 tenants were suspended.')).toBeVisible()
  await expect(page).toHaveURL('/tenants?q=midway')
  answer.resolve()
  await expect(page.getByText('2 tenants were suspended.', { exact: true })).toBeVisible()
  await page.goBack()
})

test('the focus stays in the dialog while it runs, fails and ends, and on the row when the bar disappears', async ({
  onDashboard: page,
  problems,
}) => {
  problems.expected.push(/status of 409/)
  const expectTabsInside = async () => {
    for (let n = 0; n < 5; n += 1) {
      await page.keyboard.press('Tab')
      await expect(dialog(page).locator(':focus')).toHaveCount(1)
    }
  }
  await makeTenants(page, 'Keyboarder', 27)
  await page.goto('/tenants?q=keyboarder&sort=name&limit=25')
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
  await bar(page).getByRole('button', { name: 'Select all 27' }).press('Enter')
  await expect(bar(page).getByText('27 selected').last()).toBeFocused()

  const answer = Promise.withResolvers<void>()
  await page.route('**/tenants/bulk*', async (route) => {
    await answer.promise
    await route.fulfill({ status: 409, json: { detail: 'Something to read.' } })
  })
  await bar(page).getByRole('button', { name: 'Suspend…' }).press('Enter')
  await expect(dialog(page).locator(':focus')).toHaveCount(1)
  await dialog(page).getByRole('button', { name: 'Suspend' }).press('Enter')
  await expect(dialog(page).getByRole('button', { name: 'Stop' })).toBeFocused()
  await expectTabsInside()
  await page.mouse.click(5, 5)
  await expectTabsInside()
  answer.resolve()
  await expect(dialog(page).getByRole('alert')).toHaveText('Something to read.')
  await expectTabsInside()

  await page.unroute('**/tenants/bulk*')
  await page.route('**/tenants/bulk*', async (route) => {
    const { ids } = route.request().postDataJSON()
    const results = ids.map((id: string) => ({ id, name: 'Keyboarder', outcome: 'refused', reason: 'No.' }))
    await route.fulfill({ json: { results } })
  })
  await dialog(page).getByRole('button', { name: 'Continue' }).press('Enter')
  await expect(dialog(page).getByRole('button', { name: 'Close' }).last()).toBeFocused()
  await expectTabsInside()
  await dialog(page).getByRole('button', { name: 'Close' }).last().press('Enter')
  await expect(bar(page)).toHaveCount(0)
  await expect(page.getByRole('heading', { name: 'Tenants', level: 1 })).toBeFocused()

  await box(page, 'Keyboarder 01').check()
  await bar(page).getByRole('button', { name: 'Clear selection' }).press('Enter')
  await expect(rows(page).filter({ hasText: 'Keyboarder 01' })).toBeFocused()
})

test('a cleared selection does not return, and deleted rows are deselected', async ({ signedIn: page }) => {
  await makeTenants(page, 'Lazarus', 3)
  await page.goto('/tenants?q=lazarus&sort=name')
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
  await expect(bar(page).getByText('3 selected').last()).toBeVisible()
  await setFilter(page, 'Status', 'Active')
  await expect(bar(page)).toHaveCount(0)
  await page.goBack()
  await expect(page).not.toHaveURL(/status=active/)
  await expect(box(page, 'Lazarus 01')).not.toBeChecked()
  await expect(bar(page)).toHaveCount(0)

  await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
  await chooseAction(rows(page), 'Delete', 'Lazarus 02')
  await dialog(page).getByLabel('Type the name to confirm').fill('Lazarus 02')
  await dialog(page).getByRole('button', { name: 'Delete' }).click()
  await expect(box(page, 'Lazarus 02')).toHaveCount(0)
  await expect(bar(page).getByText('2 selected').last()).toBeVisible()
})

test('keys of several tenants are deactivated together', async ({ signedIn: page }) => {
  for (const name of ['Janus one', 'Janus two']) {
    const tenant = await makeTenant(page, name)
    await makeKey(page, tenant, { name: `First of ${name}` })
    await makeKey(page, tenant, { name: `Second of ${name}` })
  }
  await page.goto('/keys?view=all&q=janus')
  for (const name of ['First of Janus one', 'Second of Janus one', 'First of Janus two'])
    await page.getByRole('checkbox', { name: `Select ${name}` }).check()
  await expectAccessible(page)
  await bar(page).getByRole('button', { name: 'Deactivate…' }).click()
  const named = /^First of Janus one ending \w{4} of Janus one.*First of Janus two ending \w{4} of Janus two$/
  await expect(dialog(page).getByRole('list', { name: 'Selected' })).toHaveText(named)
  await dialog(page).getByRole('button', { name: 'Deactivate' }).click()
  await expect(page.getByText('3 API keys were deactivated.')).toBeVisible()
  await expect(keyRows(page, 'Inactive')).toHaveCount(3)
  await page.getByRole('checkbox', { name: 'Select First of Janus one' }).check()
  await bar(page).getByRole('button', { name: 'Select All 4', exact: true }).click()
  await expect(bar(page).getByText('4 selected').last()).toBeVisible()
})

test('tasks are paused and resumed together', async ({ signedIn: page }) => {
  await makeTask(page, 'Pausing one')
  await makeTask(page, 'Pausing two')
  await page.goto('/tasks?q=pausing')
  for (const [verb, done, paused] of [
    ['Pause', 'paused', 2],
    ['Resume', 'resumed', 0],
  ] as const) {
    await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
    await bar(page).getByRole('button', { name: verb }).click()
    await expect(dialog(page).getByRole('list', { name: 'Selected' })).toHaveText(/for Pausing two.*for Pausing one$/)
    await dialog(page).getByRole('button', { name: verb }).click()
    await expect(page.getByText(`2 tasks were ${done}.`)).toBeVisible()
    await expect(rows(page).filter({ hasText: 'Paused' })).toHaveCount(paused)
  }
})

test('on a phone rows are selected and acted on, axe finds nothing, and nothing scrolls sideways', async ({
  signedIn: page,
}) => {
  await page.setViewportSize({ width: 390, height: 800 })
  await makeTenants(page, 'Handheld', 3)
  await page.goto('/tenants?q=handheld')
  await box(page, 'Handheld 01').check()
  await box(page, 'Handheld 02').check()
  await bar(page).getByRole('button', { name: 'Select all 3' }).click()
  await expectAccessible(page)
  await expectNoSidewaysScroll(page, 360)
  await bar(page).getByRole('button', { name: 'Delete' }).click()
  await dialog(page).getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('3 tenants were deleted.')).toBeVisible()
})

test('the dialog names rows, counts effects, and Undo acts on the rows that changed', async ({ signedIn: page }) => {
  const ids: string[] = []
  for (let n = 1; n <= 7; n += 1) ids.push(await makeTenant(page, `Undoer 0${n}`))
  await makeKey(page, ids[0] ?? '', {})
  await makeKey(page, ids[6] ?? '', {})
  await callApi(page, 'PUT', `tenants/${ids[6]}`, { status: 'inactive' })
  await page.goto('/tenants?q=undoer&sort=name')
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
  await bar(page).getByRole('button', { name: 'Suspend…' }).click()
  await expect(dialog(page).getByRole('list', { name: 'Selected' }).getByRole('listitem')).toHaveText([
    'Undoer 01',
    'Undoer 02',
    'Undoer 03',
    'Undoer 04',
    'Undoer 05',
    'and 2 more',
  ])
  await expect(dialog(page)).toContainText('1 key and 0 tasks are affected. 1 tenant is inactive already.')
  await expectAccessible(page)
  await dialog(page).getByRole('button', { name: 'Suspend' }).dblclick()
  const notifications = page.getByRole('region', { name: 'Notifications' })
  await expect(notifications).toContainText('7 tenants were suspended.')
  await notifications.getByRole('button', { name: 'Undo' }).click()
  await expect(notifications).toContainText('6 tenants were reactivated.')
  await expect(rows(page).filter({ hasText: 'Inactive' })).toHaveCount(1)
  await expect(rows(page).filter({ hasText: 'Undoer 07' })).toContainText('Inactive')
})

test('your own account is left out, also when it is the only selected row', async ({ signedIn: page }) => {
  const tenant_id = await makeTenant(page, 'Left Out')
  await makeUser(page, tenant_id, 'spare@switchboard.example')
  await page.goto('/users?q=@switchboard.example')
  await box(page, 'ada@switchboard.example').check()
  await bar(page).getByRole('button', { name: 'Deactivate' }).click()
  await expect(dialog(page)).toContainText('You cannot deactivate your own account.')
  await expect(dialog(page).getByRole('button', { name: 'Deactivate' })).toBeDisabled()
  await dialog(page).getByRole('button', { name: 'Cancel' }).click()
  await box(page, 'spare@switchboard.example').check()
  await bar(page).getByRole('button', { name: 'Deactivate' }).click()
  await expect(page.getByRole('dialog', { name: 'Deactivate 1 User' })).toBeVisible()
  await expect(dialog(page)).toContainText('You are among them; your own account is left out.')
  await expectAccessible(page)
  await dialog(page).getByRole('button', { name: 'Deactivate' }).click()
  await expect(page.getByText('1 user was deactivated.')).toBeVisible()
  await expect(rows(page).filter({ hasText: 'spare@switchboard.example' })).toContainText('Inactive')
})
