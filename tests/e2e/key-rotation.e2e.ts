import { callApi, expect, expectAccessible, test } from './fixtures.ts'
import { chooseAction, closeSecret, idOf, keyRows, makeKey, makeTenant, openKeyRows, secretOf } from './tenant-keys.ts'

test('a rotated key is listed with its successor, and its grace is extended and ended', async ({ signedIn: page }) => {
  const tenant = await makeTenant(page, 'Orchard Rotation')
  const old = await makeKey(page, tenant, { name: 'Widget' })
  await makeKey(page, tenant, { name: 'Between' })
  await callApi(page, 'POST', `api-keys/${old}/rotate`, { grace_seconds: 3_600 })
  await page.goto(`/keys?q=orchard&open=${tenant}`)
  const keys = openKeyRows(page)
  await expect(keys).toHaveCount(2)
  await page.getByRole('button', { name: /^1 old key of Widget/ }).click()
  await expect(keys).toHaveCount(3)
  const replaced = keys.nth(1)
  await expect(replaced).toContainText(`••••${old.slice(-4)}`)
  await expect(replaced.getByLabel('Replaced key')).toBeVisible()
  const end = replaced.getByRole('cell').nth(-2)
  const before = await end.innerText()
  await chooseAction(replaced, 'Extend Grace')
  const longer = page.getByLabel('Grace period, from the rotation')
  await expect(longer.getByRole('option')).toHaveText(['1 day', '7 days'])
  await longer.selectOption('7 days')
  await page.getByRole('button', { name: 'Extend', exact: true }).click()
  await expect(end).not.toHaveText(before)
  await replaced.getByRole('button', { name: /^More actions/ }).click()
  await expect(page.getByRole('menuitem', { name: 'Extend Grace' })).toHaveAttribute(
    'aria-description',
    /^Grace lasts 7 days at most/,
  )
  await page.getByRole('menuitem', { name: 'Revoke Old Key Now' }).click()
  await page.getByRole('button', { name: 'Revoke', exact: true }).click()
  await expect(replaced).toContainText('Revoked')
  await replaced.getByRole('button', { name: /^More actions/ }).click()
  await expect(page.getByRole('menu')).toBeVisible()
  await expect(page.getByRole('menuitem', { name: 'Activate' })).toHaveCount(0)
})

test('a key that cannot be rotated shows the reason, and its later calls after its end', async ({
  signedIn: page,
  server,
  problems,
}) => {
  problems.expected.push(/status of 409/)
  const tenant = await makeTenant(page, 'Quarry Reasons')
  const old = await callApi(page, 'POST', 'api-keys', { tenant_id: tenant, name: 'Kiosk' })
  const idle = await makeKey(page, tenant, { name: 'Idle' })
  await callApi(page, 'PATCH', `api-keys/${idle}/toggle`, { is_active: false })
  await callApi(page, 'POST', `api-keys/${idOf(old)}/rotate`, { grace_seconds: 900 })
  const answers = { 200: 0, 401: 0 }
  const useOld = async () => {
    const answer = await page.request.post(`${server.aiUrl}/v1/keys/verify`, { data: { api_key: secretOf(old) } })
    const status = answer.status() === 200 ? 200 : 401
    answers[status] += 1
    return status
  }
  await page.goto(`/keys?tenant_id=${tenant}&state=in_grace`)
  const replaced = keyRows(page, 'Kiosk')
  /** Counts come at most two seconds late. */
  const expectSaid = async (text: string) =>
    await expect(async () => {
      await page.reload()
      await expect(replaced).toBeVisible()
      await expect(replaced).toContainText(text, { timeout: 3_000 })
    }).toPass()
  for (let n = 0; n < 3; n += 1) expect(await useOld()).toBe(200)
  await expectSaid('3 calls')
  await callApi(page, 'POST', `api-keys/${idOf(old)}/end-grace`)
  // The end reaches the other server within a second.
  await expect.poll(useOld).toBe(401)
  expect(await useOld()).toBe(401)
  await page.goto(`/keys?tenant_id=${tenant}&state=revoked`)
  await expectSaid(`${answers[200] + 2} calls, 2 refused`)
  await page.getByRole('link', { name: /^Kiosk ending/ }).click()
  const drawer = page.getByRole('dialog', { name: 'Kiosk' })
  await expect(drawer).toContainText(/Refused since .+: the key is revoked\./)
  await expect(drawer).toContainText(`${answers[200]} calls since the rotation, 2 calls refused since it ended`)
  await expect(drawer).toContainText('The old key of Kiosk was still in use when it ended (2 calls refused).')
  const today = drawer.getByRole('table', { name: 'Calls of 30 days' }).getByRole('row').last()
  await expect(today.getByRole('cell')).toHaveText([String(answers[200]), '2', '2'])

  await page.goto(`/keys?tenant_id=${tenant}`)
  await page.getByRole('button', { name: /^More actions for Idle/ }).click()
  const rotate = page.getByRole('menuitem', { name: 'Rotate' })
  await rotate.hover()
  const why = page.getByText('This key is inactive. Activate it before rotating it.')
  await expect(why).toBeVisible()
  await expect(rotate).toHaveAttribute('aria-disabled', 'true')
  await rotate.press('Enter')
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('a rotation proposes a grace that fits the use, and warns before callers break', async ({
  signedIn: page,
  server,
}) => {
  const tenant = await makeTenant(page, 'Fitting Works')
  const key = await callApi(page, 'POST', 'api-keys', { tenant_id: tenant, name: 'Fitting' })
  await page.goto(`/keys?tenant_id=${tenant}`)
  await chooseAction(page, 'Rotate', 'Fitting')
  const dialog = page.getByRole('dialog', { name: 'Rotate API Key' })
  await expect(dialog).toContainText('The old key was never used.')
  await expect(dialog.getByLabel('Keep the old key working for')).toHaveValue('3600')
  await page.keyboard.press('Escape')
  await page.request.post(`${server.aiUrl}/v1/keys/verify`, { data: { api_key: secretOf(key) } })
  await expect(async () => {
    await page.reload()
    await expect(keyRows(page, 'Fitting')).toBeVisible()
    await expect(keyRows(page, 'Fitting')).toContainText('just now', { timeout: 1_000 })
  }).toPass()
  await chooseAction(page, 'Rotate', 'Fitting')
  await expect(dialog).toContainText('The old key was last used just now.')
  const grace = dialog.getByLabel('Keep the old key working for')
  await expect(grace).toHaveValue('86400')
  await grace.selectOption("Don't: revoke it now")
  await expect(dialog).toContainText('Callers that still use it break.')
  await expectAccessible(page)
})

test('a rotation of a changed key is refused and works after a reload', async ({ signedIn: page, problems }) => {
  problems.expected.push(/status of 412/)
  const tenant = await makeTenant(page, 'Stale Works')
  const key = await makeKey(page, tenant, { name: 'Shared' })
  await page.goto(`/keys?tenant_id=${tenant}`)
  await chooseAction(page, 'Rotate', 'Shared')
  await callApi(page, 'PATCH', `api-keys/${key}/toggle`, { is_active: false })
  await callApi(page, 'PATCH', `api-keys/${key}/toggle`, { is_active: true })
  const dialog = page.getByRole('dialog', { name: 'Rotate API Key' })
  await dialog.getByRole('button', { name: 'Rotate Key' }).click()
  await expect(dialog).toContainText('Another admin changed this key. Nothing was rotated.')
  await expect(dialog.getByRole('button', { name: 'Rotate Key' })).toBeDisabled()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Reload' }).click()
  const expires = dialog.getByLabel('Expires')
  await expires.selectOption('On a date')
  await dialog.getByRole('button', { name: 'Rotate Key' }).click()
  await expect(dialog.getByLabel('Last day')).toHaveAccessibleDescription('Choose a date in the future.')
  await expires.selectOption('Same lifetime as before (never expires)')
  const sent = page.waitForRequest('**/rotate')
  await dialog.getByRole('button', { name: 'Rotate Key' }).click()
  expect((await sent).postDataJSON()).toMatchObject({ expires_at: 'same_lifetime' })
  await closeSecret(page)
  await page.getByRole('button', { name: /^1 old key of Shared/ }).click()
  await expect(keyRows(page)).toHaveCount(2)
})
