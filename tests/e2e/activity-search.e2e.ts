import { callApi, expect, expectAccessible, expectNoSidewaysScroll, test } from './fixtures.ts'
import { cutOff } from './measures/cut-off.ts'
import { chooseListAction, rowOf, rowsOf } from './tables.ts'
import { makeKey, makeTenant, makeUser } from './tenant-keys.ts'

const EMAIL = 'twice@sought.example'

test('the log is searched, and a refused creation says which address was taken', async ({
  signedIn: page,
  problems,
}) => {
  problems.expected.push(/status of 409/)
  const tenant_id = await makeTenant(page, 'Sought Works')
  await makeUser(page, tenant_id, EMAIL)
  await page.goto(`/users/create?tenant_id=${tenant_id}`)
  await page.getByLabel('Email Address').fill(EMAIL)
  await page.getByLabel('Password', { exact: true }).fill('seven sisters walk at dusk')
  await page.getByRole('button', { name: 'Create User' }).click()
  await expect(page.getByRole('alert')).toContainText('already in use')

  await page.goto('/settings/activity')
  await expect(rowsOf(page, 'Activity').first()).toBeVisible()
  await page.keyboard.press('/')
  await page.keyboard.type('twice@sought')
  await expect(page).toHaveURL('/settings/activity?q=twice%40sought')
  await expect(rowsOf(page, 'Activity')).toHaveCount(2)
  const refused = rowOf(page, 'Activity', 'Could not create the user twice@sought.example')
  await expect(refused).toContainText('This email address is already in use.')
  await expect(refused).toContainText('Sought Works')
  await expectAccessible(page)
  await refused.getByRole('link', { name: /^Could not/ }).click()
  const dialog = page.getByRole('dialog')
  const request =
    (await dialog
      .locator('dd', { hasText: /^[\da-f-]{36}$/ })
      .last()
      .textContent()) ?? ''
  await page.keyboard.press('Escape')
  const search = page.getByLabel('Search name, email or request ID')
  await search.fill(request.slice(0, 13))
  await expect(rowsOf(page, 'Activity')).toHaveCount(1)
  await search.fill('nothing has these words')
  await expect(page.getByText('No rows match.')).toBeVisible()
  await page.getByRole('button', { name: 'Clear Filters' }).click()
  await expect(search).toHaveValue('')
})

test('a rotation is one row, and each of its keys has it in its history', async ({ signedIn: page }) => {
  const tenant_id = await makeTenant(page, 'Turning Works')
  const old = await makeKey(page, tenant_id, { name: 'Turned' })
  await callApi(page, 'POST', `api-keys/${old}/rotate`, { grace_seconds: 0 })
  await page.goto(`/settings/activity?tenant_id=${tenant_id}`)
  await expect(rowOf(page, 'Activity', 'Rotated the API key Turned')).toHaveCount(1)
  await expect(rowsOf(page, 'Activity')).toHaveCount(3)
  await page.goto(`/settings/activity?target_type=api_key&target_id=${old}`)
  await expect(rowOf(page, 'Activity', 'Rotated the API key Turned')).toHaveCount(1)
})

test('at 1280 pixels the actor and the tenant of a row are whole', async ({ signedIn: page }) => {
  await page.setViewportSize({ width: 1280, height: 800 })
  await makeTenant(page, 'Abelmere Veterinary Clinic')
  await page.goto('/settings/activity?q=abelmere')
  const cells = rowsOf(page, 'Activity').first().getByRole('cell')
  await expect(cells.nth(1)).toHaveText('ada@switchboard.example')
  await expect(cells.nth(2)).toHaveText('Abelmere Veterinary Clinic')
  const cut = await cells.evaluateAll((all) =>
    all
      .flatMap((cell) => [cell, ...cell.querySelectorAll('a, div')])
      .filter((part) => part.scrollWidth > part.clientWidth || part.scrollHeight > part.clientHeight + 1)
      .map((part) => part.textContent),
  )
  expect(cut).toEqual([])
})

test('at 320 pixels the log and its dialogs fit, without sideways scrolling', async ({ signedIn: page }) => {
  await page.setViewportSize({ width: 320, height: 640 })
  await makeTenant(page, 'Narrow Diary')
  await page.goto('/settings/activity?from=2026-01-01&to=2030-01-01')
  const list = page.getByRole('list', { name: 'Activity' })
  await expect(list.getByRole('listitem').first()).toBeVisible()
  await expectNoSidewaysScroll(page)
  expect(await cutOff(page), '/settings/activity').toEqual([])
  await list.getByRole('link').first().click()
  await expect(page.getByRole('dialog')).toBeVisible()
  expect(await cutOff(page), 'the row of the log').toEqual([])
  await expectNoSidewaysScroll(page)
  await page.keyboard.press('Escape')
  await chooseListAction(page, 'Verify Chain')
  await expect(page.getByRole('dialog', { name: 'Verify Chain' })).toBeVisible()
  expect(await cutOff(page), 'Verify Chain').toEqual([])
  await expectNoSidewaysScroll(page)
})
