import type { Locator, Page } from '@playwright/test'
import { connect } from '@switchboard/database/connection/connect'
import { urlOfRunning } from '@switchboard/embedded-postgres/embedded-postgres'
import { makeUser } from '@switchboard/testing/factories'
import { totpCodes } from '#apps/admin-api/src/testing/totp-codes.ts'
import { callApi, endSessionUnder, expect, expectAccessible, testAlone } from './fixtures.ts'
import { outdateSignIns } from './outdate-sign-ins.ts'
import { PASSWORD, type Server } from './server.ts'
import { rowOf } from './tables.ts'
import { chooseAction, makeTenant } from './tenant-keys.ts'

// Passkeys need a host name: the browser opens the console at localhost.
const test = testAlone().extend({
  baseURL: async ({ server }, use) => {
    await use(server.url.replace('127.0.0.1', 'localhost'))
  },
})

const REFUSED = /status of 401/
const dialog = (page: Page) => page.getByRole('dialog')
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const signedIn = (page: Page) => expect(page.getByRole('heading', { name: 'Admin Dashboard' })).toBeVisible()

/** Inserts a text at once. Unlike `fill`, this respects the limits of the field. */
async function paste(field: Locator, text: string): Promise<void> {
  await field.focus()
  await field.page().keyboard.insertText(text)
}

/** A device with a fingerprint reader that always recognizes its user, or a security key without one. */
async function addVirtualAuthenticator(page: Page, { verifies = true } = {}): Promise<void> {
  const browser = await page.context().newCDPSession(page)
  await browser.send('WebAuthn.enable')
  await browser.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: verifies ? 'internal' : 'usb',
      hasResidentKey: verifies,
      hasUserVerification: verifies,
      isUserVerified: verifies,
      automaticPresenceSimulation: true,
    },
  })
}

/** Adds an authenticator app on the open page. Returns its codes and the recovery codes. */
async function addTotp(page: Page) {
  await press(page, 'Add Authenticator App')
  await expect(dialog(page)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Add Authenticator App' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(dialog(page).getByRole('img', { name: 'QR code of the key' })).toBeVisible()
  await expectAccessible(page)
  const codes = totpCodes((await dialog(page).getByLabel('Key', { exact: true }).innerText()).replaceAll(/\s/g, ''))
  await paste(dialog(page).getByLabel('Code from the app'), ` ${codes(new Date()).replace(/(?=...$)/, ' ')} `)
  await dialog(page).getByRole('button', { name: 'Add', exact: true }).click()
  const items = dialog(page).getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')
  await expect(items).toHaveCount(10)
  await expectAccessible(page)
  const recoveryCodes = await items.allInnerTexts()
  await press(page, 'I Have Saved Them')
  return { codes, recoveryCodes }
}

/** A new person who runs the console, with the password of the super admin. */
async function makePerson(server: Server, role: 'super_admin' | 'auditor'): Promise<string> {
  const db = connect(urlOfRunning(server.dataDir) ?? '')
  const { password_hash } = await db.selectFrom('users').select('password_hash').executeTakeFirstOrThrow()
  const { email } = await makeUser(db, { role, password_hash })
  await db.destroy()
  return email
}

async function signInAs(page: Page, email: string): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.keyboard.press('Enter')
}

async function signOut(page: Page): Promise<void> {
  await press(page, 'Sign out')
  await expect(page).toHaveURL(/\/login/)
}

test('an authenticator app is added, and its codes and the recovery codes sign in', async ({
  page,
  problems,
  server,
}) => {
  problems.expected.push(REFUSED)
  const email = await makePerson(server, 'super_admin')
  await page.goto('/login?redirect=/settings/security')
  await signInAs(page, email)
  await expect(page.getByText('No second factor yet')).toBeVisible()
  const { codes, recoveryCodes } = await addTotp(page)
  await signOut(page)

  await signInAs(page, email)
  const code = page.getByLabel('Code from your authenticator app')
  await code.fill('000 000')
  await press(page, 'Verify')
  await expect(page.getByRole('alert')).toHaveText(/^This code is not right/)
  await expectAccessible(page)
  await press(page, 'Use a Recovery Code')
  await expect(page.getByRole('alert')).toHaveCount(0)
  await press(page, 'Use the Authenticator App')
  // The code of the enrollment is used: the next one.
  await code.clear()
  await paste(code, `\u00a0${codes(new Date(), 1).replaceAll(/(?<=.)(?=(..)+$)/g, '\u00a0- ')}\n`)
  await page.keyboard.press('Enter')
  await signedIn(page)
  await signOut(page)

  await signInAs(page, email)
  await press(page, 'Use a Recovery Code')
  await paste(
    page.getByLabel('Recovery code'),
    `   ${(recoveryCodes[0] ?? '').replaceAll('-', ' \u2013 ')}${' '.repeat(40)}`,
  )
  await page.keyboard.press('Enter')
  await signedIn(page)
  await page.goto('/settings/security')
  await expect(page.getByRole('region', { name: 'Recovery codes' })).toContainText('9 unused codes')
})

test('a passkey is added, signs in with and without the password, and is removed', async ({
  page,
  problems,
  server,
}) => {
  problems.expected.push(REFUSED)
  const email = await makePerson(server, 'super_admin')
  await addVirtualAuthenticator(page)
  await page.goto('/login')
  await signInAs(page, email)
  await page.getByRole('complementary').getByRole('link', { name: 'Settings', exact: true }).click()
  await page.getByRole('link', { name: 'Security', exact: true }).click()
  await press(page, 'Add Passkey')
  await dialog(page).getByLabel('Name').fill('Laptop')
  await press(page, 'Continue')
  await press(page, 'I Have Saved Them')
  const factors = page.getByRole('list', { name: 'Second factors' }).getByRole('listitem')
  await expect(factors).toHaveText([/^Laptop.*Passkey, also without a password/s])
  await expectAccessible(page)
  await signOut(page)

  await signInAs(page, email)
  await press(page, 'Continue with Passkey')
  await signedIn(page)
  await signOut(page)

  await press(page, 'Sign In with a Passkey')
  await signedIn(page)
  await page.goto('/settings/security')
  await press(page, 'Remove Laptop')
  await dialog(page).getByRole('button', { name: 'Remove', exact: true }).click()
  await expect(page.getByText('Laptop was removed.')).toBeVisible()
  await expect(page.getByText('No second factor yet')).toBeVisible()
})

test('an expired session over unsaved changes asks for the second factor too', async ({ page, problems, server }) => {
  problems.expected.push(REFUSED)
  const email = await makePerson(server, 'super_admin')
  await page.goto('/login?redirect=/settings/security')
  await signInAs(page, email)
  const { recoveryCodes } = await addTotp(page)
  await page.goto('/tenants/create')
  await page.getByLabel('Tenant Name').fill('Harbor')
  // With the call itself: the question of another call of the page would cover the button.
  await endSessionUnder(page, '**/api/v1/admin/tenants')
  await press(page, 'Create Tenant')
  await dialog(page).getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.keyboard.press('Enter')
  await dialog(page).getByRole('button', { name: 'Use a Recovery Code' }).click()
  await dialog(page)
    .getByLabel('Recovery code')
    .fill(recoveryCodes[0] ?? '')
  await expectAccessible(page)
  await page.keyboard.press('Enter')
  await expect(dialog(page)).toHaveCount(0)
  await expect(page.getByLabel('Tenant Name')).toHaveValue('Harbor')
})

test('a bulk deletion is confirmed with a code', async ({ page, problems, server }) => {
  problems.expected.push(/status of 40[03]/)
  const email = await makePerson(server, 'super_admin')
  await page.goto('/login?redirect=/settings/security')
  await signInAs(page, email)
  const { codes } = await addTotp(page)
  for (const name of ['Stepped One', 'Stepped Two']) await makeTenant(page, name)
  await page.goto('/tenants?q=stepped')
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
  await page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: 'Delete' }).click()
  await outdateSignIns(server)
  await dialog(page).getByRole('button', { name: 'Delete' }).click()

  const question = page.getByRole('dialog', { name: 'Confirm That It Is You' })
  const code = question.getByLabel('Code from your authenticator app')
  await code.fill('000 000')
  await page.keyboard.press('Enter')
  await expect(question.getByRole('alert')).toHaveText('This is not right, or was used before.')
  await expectAccessible(page)
  // The code of the enrollment is used: the next one.
  await code.fill(codes(new Date(), 1))
  await page.keyboard.press('Enter')
  await expect(page.getByText('2 tenants were deleted.')).toBeVisible()
  await expect(dialog(page)).toHaveCount(0)
})

test('the form of a key is confirmed with a passkey and keeps its text', async ({ page, problems, server }) => {
  problems.expected.push(/status of 403/)
  const email = await makePerson(server, 'super_admin')
  await addVirtualAuthenticator(page)
  await page.goto('/login?redirect=/settings/security')
  await signInAs(page, email)
  await press(page, 'Add Passkey')
  await dialog(page).getByLabel('Name').fill('Laptop')
  await press(page, 'Continue')
  await press(page, 'I Have Saved Them')
  const tenant = await makeTenant(page, 'Passkey Works')
  await page.goto(`/keys?generate=${tenant}`)
  const form = page.getByRole('dialog', { name: 'Generate API Key' })
  await form.getByRole('button', { name: 'More Options' }).click()
  await form.getByLabel('Description').fill('Typed before the question')
  await outdateSignIns(server)
  await form.getByRole('button', { name: 'Generate Key' }).click()

  const question = page.getByRole('dialog', { name: 'Confirm That It Is You' })
  await expect(question.getByText('Confirm with your passkey.')).toBeVisible()
  await expect(form.getByLabel('Description')).toHaveValue('Typed before the question')
  await press(page, 'Continue with Passkey')
  await expect(page.getByRole('dialog', { name: 'API Key Generated' })).toBeVisible()
  expect(await callApi(page, 'GET', `api-keys/${tenant}`)).toMatchObject([{ description: 'Typed before the question' }])
})

test('a security key without a PIN confirms together with the password', async ({ page, problems, server }) => {
  problems.expected.push(/status of 40[03]/)
  const email = await makePerson(server, 'super_admin')
  await addVirtualAuthenticator(page, { verifies: false })
  await page.goto('/login?redirect=/settings/security')
  await signInAs(page, email)
  await press(page, 'Add Passkey')
  await dialog(page).getByLabel('Name').fill('Security key')
  await press(page, 'Continue')
  await press(page, 'I Have Saved Them')
  await outdateSignIns(server)
  await press(page, 'Make New Codes')
  await dialog(page).getByRole('button', { name: 'Make New Codes' }).click()
  const question = page.getByRole('dialog', { name: 'Confirm That It Is You' })
  await expect(question.getByText('Confirm with your password and your passkey.')).toBeVisible()
  await question.getByLabel('Password', { exact: true }).fill('wrong')
  await press(page, 'Continue with Passkey')
  await expect(question.getByRole('alert')).toHaveText('Current password is incorrect')
  await expectAccessible(page)
  await question.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await press(page, 'Continue with Passkey')
  await expect(dialog(page).getByRole('list', { name: 'Recovery codes' })).toBeVisible()
})

test('a reset of a second factor offers to revoke the tokens of the person', async ({ page, server }) => {
  const [boss, other] = [await makePerson(server, 'super_admin'), await makePerson(server, 'super_admin')]
  await page.goto('/login?redirect=/settings/security')
  await signInAs(page, other)
  await addTotp(page)
  await callApi(page, 'POST', 'tokens', { name: 'Left behind', scopes: ['read'] })
  await signOut(page)
  await page.goto('/login?redirect=/settings/team')
  await signInAs(page, boss)
  await chooseAction(rowOf(page, 'Team', other), 'Reset Second Factor')
  await dialog(page).getByLabel('Type the name to confirm').fill(other)
  await expect(dialog(page)).toContainText('Otherwise the service tokens that they made keep working: Left behind.')
  await dialog(page).getByLabel('Revoke tokens').check()
  await expectAccessible(page)
  await press(page, 'Reset')
  await expect(page.getByText(`The second factor of ${other} was reset.`)).toBeVisible()
  await page.goto('/settings/tokens')
  await expect(rowOf(page, 'Service tokens', 'Left behind')).toContainText('Revoked')
})

test('while a second factor is required, a person without one adds one first', async ({ page, problems, server }) => {
  problems.expected.push(REFUSED, /status of 403/)
  const [boss, other] = [await makePerson(server, 'super_admin'), await makePerson(server, 'super_admin')]
  const newcomer = await makePerson(server, 'support')
  await page.goto('/login?redirect=/settings/tokens')
  await signInAs(page, other)
  await expect(
    page.getByText('No service tokens yet').or(page.getByRole('table', { name: 'Service tokens' })),
  ).toBeVisible()
  await callApi(page, 'POST', 'tokens', { name: 'Nightly', scopes: ['read'] })
  await signOut(page)

  await page.goto('/login?redirect=/settings/security')
  await signInAs(page, boss)
  await expect(page.getByText(/^Optional\. \d+ members can sign in with only a password\. Add a second/)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Require for Everyone' })).toHaveCount(0)
  await addTotp(page)
  await press(page, 'Require for Everyone')
  const refused = dialog(page).getByRole('list', { name: 'Refused service tokens' })
  await expect(refused.getByRole('listitem').filter({ hasText: other })).toHaveText([`Nightly of ${other}`])
  await expectAccessible(page)
  await dialog(page).getByRole('button', { name: 'Require for Everyone' }).click()
  await expect(page.getByText('Everyone needs a second factor now.')).toBeVisible()
  try {
    await signOut(page)
    await page.goto('/login?redirect=/tenants')
    await signInAs(page, newcomer)
    const enrollment = page.getByRole('heading', { name: 'Add a second factor', exact: true })
    await expect(enrollment).toBeVisible()
    await page.goto('/users/create')
    await expect(enrollment).toBeVisible()
    await expectAccessible(page)
    await addTotp(page)
    await expect(page.getByRole('heading', { name: 'New User' })).toBeVisible()
  } finally {
    const db = connect(urlOfRunning(server.dataDir) ?? '')
    await db.updateTable('security_settings').set({ second_factor_required: false }).execute()
    await db.destroy()
  }
})
