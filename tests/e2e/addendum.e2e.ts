import type { Locator } from '@playwright/test'
import { callApi, expect, expectNoSidewaysScroll, refuseStream, test } from './fixtures.ts'
import { chooseAction, makeTenant } from './tenant-keys.ts'

const CLICKS_MAX = 7

test('an addendum is tried, saved and taken back in seven clicks, and its draft survives a reload', async ({
  onDashboard: page,
  problems,
}) => {
  problems.expected.push(/status of 422/)
  const id = await makeTenant(page, 'Gorse Optician')
  let clicks = 0
  const click = async (target: Locator) => {
    clicks += 1
    await target.click()
  }
  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })
  const card = page.getByRole('region', { name: 'Addendum' })
  const box = page.getByLabel('Addendum', { exact: true }).and(page.locator('textarea'))
  const rendered = page.getByRole('region', { name: 'Rendered text' })
  const history = page.getByRole('table', { name: 'Versions' })

  await page.goto(`/tenants/${id}`)
  await click(page.getByRole('navigation', { name: 'Tenant' }).getByRole('link', { name: 'Prompt' }))
  await expect(card.getByText('No addendum yet.')).toBeVisible()
  await expect(rendered).toContainText(/Base template, version \d+/)
  await expect(page.getByRole('definition').filter({ hasText: /^gorse-optician$/ })).toBeVisible()

  await click(button('Write'))
  await expect(box).toBeFocused()
  await expect(card.getByRole('alert')).toHaveCount(0)
  await expect(button('Save')).toBeDisabled()
  await box.fill('{{ tenant_name | shout }}')
  await expect(page.getByRole('alert')).toContainText('Line 1, column 1: undefined filter: shout.')
  await box.fill('Say that {{ tenant_name }} closes at six.')
  await expect(rendered).toContainText('Addendum, draft')
  await expect(rendered).toContainText('Say that Gorse Optician closes at six.')
  await page.reload()
  await expect(page.getByText('Your unsaved draft was restored.')).toBeVisible()
  await expect(rendered).toContainText('Say that Gorse Optician closes at six.')
  await expectNoSidewaysScroll(page, 320)

  await click(button('Save'))
  await click(page.getByRole('dialog', { name: 'Save Addendum' }).getByRole('button', { name: 'Save as Version 1' }))
  await expect(page.getByText('Version 1 is live.')).toBeVisible()
  await expect(rendered).toContainText('Addendum, version 1')
  await expect(history.getByRole('row').nth(1)).toContainText('Version 1')

  await click(button('Remove'))
  await click(page.getByRole('dialog', { name: 'Remove Addendum' }).getByRole('button', { name: 'Remove Addendum' }))
  await expect(page.getByText('The addendum was removed.')).toBeVisible()
  await expect(card.getByText('The addendum is removed.')).toBeVisible()
  await expect(rendered).not.toContainText('closes at six')
  expect(clicks).toBeLessThanOrEqual(CLICKS_MAX)

  await expect(history.getByRole('row').nth(1)).toContainText('removed')
  await chooseAction(history, 'Compare with the Live Version', 'version 1')
  await expect(page).toHaveURL(`/tenants/${id}/prompt/compare?from=1&to=2`)
  await expect(page.getByRole('region', { name: /^From version 1/ }).locator('del')).toContainText('closes at six')
  await page.getByRole('link', { name: 'Back to the prompt' }).click()
  await chooseAction(history, 'Restore', 'version 1')
  await page.getByRole('dialog').getByRole('button', { name: 'Restore as Version 3' }).click()
  await expect(rendered).toContainText('Addendum, version 3')

  await page.getByRole('navigation', { name: 'Tenant' }).getByRole('link', { name: 'Activity' }).click()
  await expect(page.getByText('Restored an old version of the addendum of Gorse Optician').first()).toBeVisible()
})

test('a stale save of an addendum shows the changes of the other admin', async ({ signedIn: page, problems }) => {
  problems.expected.push(/status of 412/)
  const id = await makeTenant(page, 'Sedge Optician')
  await page.goto(`/tenants/${id}/prompt`)
  await page.getByRole('button', { name: 'Write', exact: true }).click()
  await page.locator('textarea').fill('Mine')
  await callApi(page, 'PUT', `prompts/templates/general?tenant_id=${id}`, { template: 'Theirs' })
  // A draft is restored with the note about what has happened since, also without the stream.
  problems.expected.push(/status of 403/)
  await refuseStream(page)
  await page.reload()
  await expect(page.locator('textarea')).toHaveValue('Mine')
  await expect(page.getByText('You, in another tab or on another device, changed this addendum').first()).toBeVisible()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Save Addendum' })
  await dialog.getByRole('button', { name: 'Save as Version 1' }).click()
  await expect(dialog.getByRole('alert')).toContainText('saved version 1 just now.')
  await dialog.getByRole('button', { name: 'Keep Mine' }).click()
  await dialog.getByRole('button', { name: 'Save as Version 2' }).click()
  await expect(page.getByRole('region', { name: 'Rendered text' })).toContainText('Mine')
})
