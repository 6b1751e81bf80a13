import { callApi, expect, expectAccessible, test } from './fixtures.ts'
import { makeKey, makeTenant } from './tenant-keys.ts'

test('deleting a tenant lists what goes, and asks for the name as it is written', async ({ signedIn: page }) => {
  const tenant_id = await makeTenant(page, 'Goes  With All')
  await makeKey(page, tenant_id, { name: 'One' })
  await makeKey(page, tenant_id, { name: 'Two' })
  const user = { email: 'goes@example.com', password: 'seven sisters walk at dusk', role: 'user', tenant_id }
  await callApi(page, 'POST', 'tenant-admins', user)
  await page.goto('/tenants?q=goes')
  await page.getByRole('button', { name: /^Delete Goes/ }).click()
  const confirm = page.getByRole('dialog', { name: 'Delete Tenant' })
  const remove = confirm.getByRole('button', { name: 'Delete' })
  const name = confirm.getByLabel('Type the name to confirm')
  await expect(name).toBeFocused()
  await expect(confirm.getByRole('listitem')).toHaveText(['2 API keys', '1 user'])
  await expect(remove).toBeDisabled()
  await expectAccessible(page)
  for (const typed of ['goes with all', 'Goes With', 'Goes With All.']) {
    await name.fill(typed)
    await page.keyboard.press('Enter')
    await expect(remove).toBeDisabled()
  }
  // Spaces that the screen does not show are not asked for.
  await name.fill('  Goes With All ')
  await name.dispatchEvent('keydown', { key: 'Enter', isComposing: true, bubbles: true })
  await expect(remove).toBeEnabled()
  await page.keyboard.press('Enter')
  await expect(page.getByText('was deleted.')).toBeVisible()
  await expect(confirm).toHaveCount(0)
})
