import type { Page } from '@playwright/test'
import { callApi, expect, expectAccessible, expectNoSidewaysScroll, test } from './fixtures.ts'
import { outdateSignIns } from './outdate-sign-ins.ts'
import { EMAIL, PASSWORD } from './server.ts'
import { chooseAction, makeTenant, makeUser } from './tenant-keys.ts'
import { chooseListAction } from './tables.ts'

const question = (page: Page) => page.getByRole('dialog', { name: 'Confirm That It Is You' })
const password = (page: Page) => question(page).getByLabel('Password', { exact: true })

test('a bulk deletion asks for the password, and goes on', async ({ signedIn: page, server, problems }) => {
  problems.expected.push(/status of 40[03]/)
  for (const name of ['Sworn One', 'Sworn Two']) await makeTenant(page, name)
  await page.goto('/tenants?q=sworn')
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
  await page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: 'Delete' }).click()
  await outdateSignIns(server)
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()

  await expect(password(page)).toBeFocused()
  await page.keyboard.type('wrong')
  await page.keyboard.press('Enter')
  await expect(question(page).getByText('Current password is incorrect')).toBeVisible()
  await password(page).fill(PASSWORD)
  await page.keyboard.press('Enter')
  await expect(page.getByText('2 tenants were deleted.')).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('the question comes before the form of a key, and without an answer there is no form', async ({
  signedIn: page,
  server,
  problems,
}) => {
  problems.expected.push(/status of 403/)
  const tenant = await makeTenant(page, 'Confirmed Keys')
  await outdateSignIns(server)
  await page.goto(`/keys?generate=${tenant}`)
  const form = page.getByRole('dialog', { name: 'Generate API Key' })
  await expect(password(page)).toBeFocused()
  await expect(form).toHaveCount(0)
  await expectAccessible(page)
  await expectNoSidewaysScroll(page, 320)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page).toHaveURL('/keys')

  await page.getByRole('button', { name: 'Generate Key for Confirmed Keys' }).click()
  await password(page).fill(PASSWORD)
  await question(page).getByRole('button', { name: 'Confirm' }).click()
  await expect(form.getByLabel('Name')).toBeFocused()
  await form.getByLabel('Name').fill('Typed after the question')
  await form.getByRole('button', { name: 'Generate Key' }).click()
  await expect(page.getByRole('dialog', { name: 'API Key Generated' })).toContainText('Typed after the question')
})

test('the form of a key keeps its text when the confirmation ends meanwhile', async ({
  signedIn: page,
  server,
  problems,
}) => {
  problems.expected.push(/status of 403/)
  const tenant = await makeTenant(page, 'Confirmed Late')
  await page.goto(`/keys?generate=${tenant}`)
  const form = page.getByRole('dialog', { name: 'Generate API Key' })
  await form.getByLabel('Name').fill('Typed before the question')
  await outdateSignIns(server)
  const generate = form.getByRole('button', { name: 'Generate Key' })
  await generate.click()
  await expect(password(page)).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(question(page)).toHaveCount(0)
  await expect(form.getByRole('alert')).toHaveText('Confirm that it is you before this action.')
  await expect(form.getByLabel('Name')).toHaveValue('Typed before the question')

  await generate.click()
  await password(page).fill(PASSWORD)
  await question(page).getByRole('button', { name: 'Confirm' }).click()
  await expect(page.getByRole('dialog', { name: 'API Key Generated' })).toBeVisible()
})

test('the form of a user keeps a new address until a confirmation, and then saves it', async ({
  signedIn: page,
  server,
  problems,
}) => {
  problems.expected.push(/status of 403/)
  const tenant_id = await makeTenant(page, 'Confirmed Users')
  const email = 'confirmed.user@example.com'
  await makeUser(page, tenant_id, email)
  await page.goto(`/users?q=${email}`)
  await chooseAction(page, 'Edit', email)
  const form = page.getByRole('dialog', { name: 'Edit User' })
  await form.getByLabel('Email Address').fill('moved.user@example.com')
  await outdateSignIns(server)
  await form.getByRole('button', { name: 'Save Changes' }).click()
  await expect(password(page)).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(form.getByRole('alert')).toHaveText('Confirm that it is you before this action.')
  await expect(form.getByLabel('Email Address')).toHaveValue('moved.user@example.com')
  await form.getByRole('button', { name: 'Save Changes' }).click()
  await password(page).fill(PASSWORD)
  await page.keyboard.press('Enter')
  await expect(page.getByText('moved.user@example.com: email address changed.')).toBeVisible()
})

test('a bulk suspension of tenants asks for the password and then continues', async ({
  signedIn: page,
  server,
  problems,
}) => {
  problems.expected.push(/status of 403/)
  for (const name of ['Dormouse One', 'Dormouse Two']) await makeTenant(page, name)
  await page.goto('/tenants?q=dormouse')
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
  await page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: 'Suspend' }).click()
  await outdateSignIns(server)
  await page.getByRole('dialog').getByRole('button', { name: 'Suspend' }).click()
  await password(page).fill(PASSWORD)
  await page.keyboard.press('Enter')
  await expect(page.getByText('2 tenants were suspended.')).toBeVisible()
})

test('an export asks for the password, and downloads the file', async ({ signedIn: page, server, problems }) => {
  problems.expected.push(/status of 403/)
  await page.goto('/users')
  await chooseListAction(page, 'Export')
  await outdateSignIns(server)
  await page.getByRole('dialog').getByRole('button', { name: 'Export', exact: true }).click()
  await password(page).fill(PASSWORD)
  const downloading = page.waitForEvent('download')
  await page.keyboard.press('Enter')
  expect((await downloading).suggestedFilename()).toMatch(/^users-/)
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('a sign-in from a new browser is shown until it is dismissed, and listed in Security', async ({
  onDashboard: page,
}) => {
  await page.request.post('/api/v1/admin/auth/login', {
    data: { email: EMAIL, password: PASSWORD },
    headers: {
      'user-agent': 'Mozilla/5.0 (iPad; CPU OS 18_0 like Mac OS X) AppleWebKit/605 Version/18.0 Safari/604.1',
    },
  })
  await page.goto('/settings/security')
  const notice = page
    .getByRole('region', { name: 'Notifications' })
    .getByText(/^New sign-in from Safari on iPad, .+ Not you\? Change your password\.$/)
  await expect(notice).toBeVisible()
  const list = page.getByRole('list', { name: 'Recent sign-ins' })
  await expect(list.getByRole('listitem').first()).toContainText('Safari on iPad')
  await expect(list.getByRole('listitem').first()).toContainText('Signed in')
  const dismissed = page.waitForResponse('**/auth/sign-ins/new/*')
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await dismissed
  const asked = page.waitForResponse('**/auth/sign-ins/new')
  await page.reload()
  await asked
  await expect(list.getByRole('listitem').first()).toBeVisible()
  await expect(notice).toHaveCount(0)
  expect(await callApi(page, 'GET', 'auth/sign-ins/new')).toEqual([])
})
