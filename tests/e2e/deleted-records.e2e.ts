import type { Page } from '@playwright/test'
import { callApi, expect, expectAccessible, expectNoSidewaysScroll, test } from './fixtures.ts'
import { rowOf, setFilter } from './tables.ts'
import { chooseAction, idOf, makeKey, makeTenant, makeUser } from './tenant-keys.ts'

// Deleted users, API keys and tasks are in their lists with the filter "Deleted", and are restored from there.

const notifications = (page: Page) => page.getByRole('region', { name: 'Notifications' })

type Noun = { title: string; path: string; name: string; make: (page: Page, tenantId: string) => Promise<string> }

const NOUNS: Noun[] = [
  {
    title: 'Users',
    path: '/users?q=binned',
    name: 'binned@example.com',
    async make(page, tenant_id) {
      const id = await makeUser(page, tenant_id, this.name)
      await callApi(page, 'DELETE', `tenant-admins/${id}`)
      return `tenant-admins/${id}`
    },
  },
  {
    title: 'API Keys',
    path: '/keys?view=all&q=Binned key',
    name: 'Binned key',
    async make(page, tenant_id) {
      const id = await makeKey(page, tenant_id, { name: this.name })
      await callApi(page, 'DELETE', `api-keys/${id}`)
      return `api-keys?tenant_id=${tenant_id}&limit=1`
    },
  },
  {
    title: 'Tasks',
    path: '/tasks?q=Binned tasks',
    name: 'Binned tasks',
    async make(page, tenant_id) {
      const extra_data = { place_id: 'ChIJN1t_tDeuEmsRUsoyG83frY4', place_name: 'Quay Bakery' }
      const task = { tenant_id, schedule_name: 'pull_google_review', frequency: 'weekly', extra_data }
      const id = idOf(await callApi(page, 'POST', 'tasks/schedule', task))
      await callApi(page, 'DELETE', `tasks/${tenant_id}/schedule/${id}`)
      return `tasks/${id}`
    },
  },
]

for (const noun of NOUNS) {
  test(`${noun.title}: a deleted record is found and restored`, async ({ signedIn: page }) => {
    const tenantId = await makeTenant(page, `Binned ${noun.title.toLowerCase()}`)
    const address = await noun.make(page, tenantId)
    await page.goto(noun.path)
    await expect(page.getByRole('heading', { level: 1, name: noun.title })).toBeVisible()
    await expect(rowOf(page, noun.title, noun.name)).toHaveCount(0)
    await setFilter(page, 'Status', 'Deleted')
    const row = rowOf(page, noun.title, noun.name)
    await expect(row).toContainText('Deleted')
    await expect(page.getByRole('columnheader', { name: 'Kept until' })).toBeVisible()
    await expectAccessible(page)
    await expectNoSidewaysScroll(page, 320)
    await page.setViewportSize({ width: 390, height: 800 })
    await expect(page.getByText(/^kept until /)).toBeVisible()
    await page.setViewportSize({ width: 1440, height: 900 })
    await chooseAction(row, 'Restore')
    await expect(notifications(page)).toContainText('was restored.')
    await expect(row).toHaveCount(0)
    expect([await callApi(page, 'GET', address)].flat()).toMatchObject([{ tenant_id: tenantId }])
  })
}
