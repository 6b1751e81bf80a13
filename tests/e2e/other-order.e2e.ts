import { connect } from '@switchboard/database/connect'
import { urlOfRunning } from '@switchboard/embedded-postgres/embedded-postgres'
import { makeManyApiKeys, makeManyTenants } from '@switchboard/testing/factories'
import { sql } from 'kysely'
import { expect, expectAccessible, signInHere, test } from './fixtures.ts'
import { startServer } from './server.ts'

/** More than are counted and sorted. */
const TENANTS = 1_100

test('where too many match to be sorted, the list says which come first', async ({ page }) => {
  const server = await startServer()
  try {
    const db = connect(urlOfRunning(server.dataDir) ?? '')
    await makeManyTenants(db, TENANTS)
    await makeManyApiKeys(db, TENANTS)
    await sql`update api_keys set is_active = true, expires_at = now() + interval '1 day'`.execute(db)
    // The last by name and the oldest, and the first to need a new key.
    await sql`
      update api_keys set expires_at = now() + interval '1 hour'
      where tenant_id = (select id from tenants order by created_at limit 1)`.execute(db)
    await sql`update tenants set name = 'Zenith' where id = (select id from tenants order by created_at limit 1)`.execute(
      db,
    )
    await db.destroy()

    await page.goto(`${server.url}/tenants?attention=keys_expiring&sort=name`)
    await signInHere(page)
    const note = page.getByText('Too many match to be sorted, so those whose keys end first come first.')
    await expect(note).toBeVisible()
    await expect(page.getByText(/^1,000\+ of [\d,+]+ tenants$/).first()).toBeVisible()
    const table = page.getByRole('table', { name: 'Tenants' })
    await expect(table.getByRole('row').nth(1)).toContainText('Zenith')
    await expect(table.locator('[aria-sort=ascending], [aria-sort=descending]')).toHaveCount(0)
    await expectAccessible(page)

    await page.getByRole('link', { name: 'Next' }).click()
    await expect(page.getByText('51–100 of 1,000+')).toBeVisible()
    await expect(note).toBeVisible()
    await page.getByRole('link', { name: 'Previous' }).click()
    await expect(table.getByRole('row').nth(1)).toContainText('Zenith')

    await page.getByLabel('Type', { exact: true }).selectOption('service')
    await expect(note).toHaveCount(0)
    await expect(table.getByRole('columnheader', { name: 'Name' })).toHaveAttribute('aria-sort', 'ascending')
    await expect(table.getByRole('row').nth(1)).toContainText('Amber')
  } finally {
    await server.stop()
  }
})
