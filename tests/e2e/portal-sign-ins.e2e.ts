import type { Page } from '@playwright/test'
import { callApi, expect, expectAccessible, expectNoSidewaysScroll, test } from './fixtures.ts'
import { rowOf } from './tables.ts'
import { chooseAction, makeTenant, makeUser, secretOf } from './tenant-keys.ts'

const EMAIL = 'reed@ferry.example'
const PASSWORD = 'seven sisters walk at dusk'

/** A tenant with a user, and the calls of its portal. */
async function makePortal(page: Page, aiUrl: string, name: string, email: string) {
  const tenant_id = await makeTenant(page, name)
  await makeUser(page, tenant_id, email, { password: PASSWORD })
  const key = secretOf(await callApi(page, 'POST', 'api-keys', { tenant_id }))
  const signIn = async (as: string, password: string) =>
    (
      await page.request.post(`${aiUrl}/v1/users/verify`, {
        headers: { 'x-api-key': key },
        data: { email: as, password, client_address: '203.0.113.7' },
      })
    ).status()
  return { tenant_id, signIn }
}

test('the page of a tenant shows the sign-ins to its portal, and a user has a list of theirs', async ({
  signedIn: page,
  server,
}) => {
  const { tenant_id, signIn } = await makePortal(page, server.aiUrl, 'Ferry Landing', EMAIL)
  await page.goto(`/tenants/${tenant_id}`)
  const card = page.getByRole('region', { name: 'Portal sign-ins' })
  await expect(page.getByRole('region', { name: 'Activity' })).toBeVisible()
  await expect(card).toHaveCount(0)

  expect(await signIn(EMAIL, PASSWORD)).toBe(200)
  expect(await signIn(EMAIL, 'a wrong password')).toBe(401)
  expect(await signIn('nobody@ferry.example', PASSWORD)).toBe(401)
  expect(await signIn('not an address', PASSWORD)).toBe(401)
  await page.reload()
  const signIns = card.getByRole('listitem')
  await expect(signIns).toHaveCount(4)
  await expect(signIns.nth(0)).toContainText(/Unknown person\s*Refused/)
  await expect(signIns.nth(1)).toContainText(/nobody@ferry\.example\s*Refused/)
  await expect(signIns.nth(2)).toContainText(
    /reed@ferry\.example\s*Refused.* · 203\.0\.113\.7 · Invalid email or password/,
  )
  await expect(signIns.nth(3)).toContainText(/reed@ferry\.example\s*Signed in.* · 203\.0\.113\.7$/)
  // The audit log has rows for the tenant, its user and its key, but not for the sign-ins.
  await expect(page.getByRole('navigation', { name: 'Tenant' })).toContainText('Activity 3')
  await expectAccessible(page)
  await expectNoSidewaysScroll(page, 375, 320)

  await page.setViewportSize({ width: 900, height: 800 })
  await page.goto(`/tenants/${tenant_id}/users`)
  await chooseAction(rowOf(page, 'Users', EMAIL), 'Portal Sign-ins')
  const dialog = page.getByRole('dialog', { name: `Portal Sign-ins of ${EMAIL}` })
  await expect(dialog.getByRole('listitem')).toHaveCount(2)
  await expect(dialog.getByRole('listitem').first()).toContainText('Refused')
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()

  await page.setViewportSize({ width: 1280, height: 800 })
  await chooseAction(page, 'Edit', EMAIL)
  await page.getByRole('button', { name: 'Portal Sign-ins' }).click()
  await expect(dialog.getByRole('listitem')).toHaveCount(2)
})

test('older sign-ins are a page away', async ({ signedIn: page, server }) => {
  const email = 'tide@quay.example'
  const { tenant_id, signIn } = await makePortal(page, server.aiUrl, 'Quay Landing', email)
  for (let n = 0; n < 7; n += 1) expect(await signIn(email, PASSWORD)).toBe(200)
  await page.goto(`/tenants/${tenant_id}`)
  const card = page.getByRole('region', { name: 'Portal sign-ins' })
  await expect(card.getByRole('listitem')).toHaveCount(5)
  await card.getByRole('button', { name: 'Older' }).click()
  await expect(card.getByRole('listitem')).toHaveCount(2)
  await expect(card.getByRole('button', { name: 'Older' })).toBeFocused()
  await expect(card.getByRole('button', { name: 'Older' })).toHaveAttribute('aria-disabled', 'true')
  await card.getByRole('button', { name: 'Newer' }).click()
  await expect(card.getByRole('listitem')).toHaveCount(5)
})
