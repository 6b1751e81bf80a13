import type { Page } from '@playwright/test'
import { callApi, expect, expectAccessible, test, untilLoaded } from './fixtures.ts'
import { person } from './person.ts'
import { chooseAction, makeKey, makeTenant } from './tenant-keys.ts'

// A suspension with a reason and an end, from the page of the tenant.

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const state = (page: Page) => page.getByRole('region', { name: 'State' })
const notifications = (page: Page) => page.getByRole('region', { name: 'Notifications' })
const suspensionOf = (page: Page, id: string) => callApi(page, 'GET', `tenants/${id}`)

test('a tenant is suspended for a week in five clicks', async ({ signedIn: page }) => {
  const { click, type, clicks } = person(page)
  const id = await makeTenant(page, 'Weir Locksmiths')
  await makeKey(page, id, { name: 'Door' })
  await page.goto('/')
  await untilLoaded(page)

  await click(page.getByRole('button', { name: /^Search/ }))
  await type(page.getByRole('combobox', { name: 'Search records, screens and actions' }), 'weir locksmiths')
  await click(page.getByRole('option', { name: /^Weir Locksmiths/ }))
  await click(button(page, 'Suspend Weir Locksmiths'))
  const dialog = page.getByRole('dialog', { name: 'Suspend Tenant' })
  await type(dialog.getByLabel('Reason'), 'Unpaid invoice')
  await expect(dialog).toContainText('Suspend Weir Locksmiths?1 key will be refused within a second.')
  await click(dialog.getByRole('button', { name: '1 week' }))
  await expect(dialog).toContainText(/Until .+, \d\d:\d\d, .+\./)
  await click(button(page, 'Suspend Tenant'))
  await expect(notifications(page)).toContainText(/Weir Locksmiths was suspended until .+\. 1 key is refused\./)
  await expect(state(page)).toContainText(
    /Suspended by ada on .+ until .+: Unpaid invoice\. 1 key has refused no call since\./,
  )
  await expect(page.getByRole('region', { name: 'Activity' })).toContainText(
    /ada suspended the tenant\s*Unpaid invoice\. Its calls are refused and its tasks skipped\./,
  )
  expect(clicks()).toBeLessThanOrEqual(5)
})

test('reason and end of a suspension change, with Undo, and a newer change is not overwritten', async ({
  signedIn: page,
  problems,
}) => {
  problems.expected.push(/status of 412/)
  const id = await makeTenant(page, 'Sluice Coopers')
  const suspended_until = '2099-03-01T12:34:56.789Z'
  await callApi(page, 'PUT', `tenants/${id}`, { status: 'inactive', suspension_reason: 'Unpaid', suspended_until })
  await page.goto(`/tenants/${id}`)
  const dialog = page.getByRole('dialog', { name: 'Edit Suspension' })
  const save = dialog.getByRole('button', { name: 'Save Changes' })

  await chooseAction(page, 'Edit Suspension', 'Sluice Coopers')
  await dialog.getByLabel('Reason').fill('Paid in part')
  await save.click()
  await expect(notifications(page)).toContainText('Sluice Coopers is suspended until Mar 1, 2099')
  expect(await suspensionOf(page, id)).toMatchObject({ suspension_reason: 'Paid in part', suspended_until })
  await notifications(page).getByRole('button', { name: 'Undo' }).click()
  await expect(notifications(page)).toContainText('The suspension of Sluice Coopers is as before.')
  expect(await suspensionOf(page, id)).toMatchObject({ status: 'inactive', suspension_reason: 'Unpaid' })

  await chooseAction(page, 'Edit Suspension', 'Sluice Coopers')
  await dialog.getByLabel('Date and time').fill('2020-01-01T12:00')
  await save.click()
  await expect(dialog.getByText('Choose an end in the future.')).toBeVisible()
  await expect(dialog.getByLabel('Date and time')).toBeFocused()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'No end' }).click()
  await expect(dialog).toContainText('Until you reactivate the tenant.')
  await callApi(page, 'PUT', `tenants/${id}`, { suspension_reason: 'Changed elsewhere' })
  await save.click()
  await expect(dialog.getByRole('alert')).toContainText('changed this tenant')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: /mine/i }).click()
  await expect(state(page)).toContainText(/^Suspended by ada on [^:]+: Unpaid\. No key and no task is affected\./)

  await button(page, 'Reactivate Sluice Coopers').click()
  await expect(state(page)).toHaveCount(0)
  await notifications(page).getByRole('button', { name: 'Undo' }).click()
  await expect(state(page)).toContainText(/^Suspended by ada on [^:]+: Unpaid\. No key and no task is affected\./)
})
