import type { Page } from '@playwright/test'
import { connect } from '@switchboard/database/connection/connect'
import { urlOfRunning } from '@switchboard/embedded-postgres/embedded-postgres'
import { makeUser } from '@switchboard/testing/factories'
import { totpCodes } from '#apps/admin-api/src/testing/totp-codes.ts'
import { expect, expectAccessible, signIn, signInHere, testAlone } from './fixtures.ts'
import { PASSWORD } from './server.ts'

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

/** A device with a fingerprint reader, which always recognizes its person. */
async function addVirtualAuthenticator(page: Page): Promise<void> {
  const browser = await page.context().newCDPSession(page)
  await browser.send('WebAuthn.enable')
  await browser.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}

/** Adds an authenticator app on the open page. Returns its codes and the recovery codes. */
async function addTotp(page: Page) {
  await press(page, 'Add authenticator app')
  await expect(dialog(page).getByRole('img', { name: 'QR code of the key' })).toBeVisible()
  await expectAccessible(page)
  const codes = totpCodes((await dialog(page).getByLabel('Key', { exact: true }).innerText()).replaceAll(/\s/g, ''))
  await dialog(page).getByLabel('Code from the app').fill(codes(new Date()))
  await dialog(page).getByRole('button', { name: 'Add', exact: true }).click()
  const items = dialog(page).getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')
  await expect(items).toHaveCount(10)
  await expectAccessible(page)
  const recoveryCodes = await items.allInnerTexts()
  await press(page, 'I have saved them')
  return { codes, recoveryCodes }
}

async function signOutAndSignIn(page: Page): Promise<void> {
  await press(page, 'Sign out')
  await expect(page).toHaveURL(/\/login/)
  await signInHere(page)
}

test('an app and a passkey are added, and each signs in, as does a recovery code', async ({ page, problems }) => {
  problems.expected.push(REFUSED)
  await addVirtualAuthenticator(page)
  await signIn(page)
  await page.goto('/settings')
  await page.getByRole('link', { name: 'Security', exact: true }).click()
  await expect(page.getByText('No second factor yet')).toBeVisible()
  const { codes, recoveryCodes } = await addTotp(page)
  await press(page, 'Add passkey')
  await dialog(page).getByLabel('Name').fill('Laptop')
  await press(page, 'Continue')
  const factors = page.getByRole('list', { name: 'Second factors' }).getByRole('listitem')
  await expect(factors).toHaveText([/^Authenticator app/, /^Laptop.*Passkey, also without a password/s])
  await expect(page.getByRole('region', { name: 'Recovery codes' })).toContainText('10 unused codes')
  await expectAccessible(page)

  await signOutAndSignIn(page)
  await press(page, 'Continue with passkey')
  await signedIn(page)

  await signOutAndSignIn(page)
  await press(page, 'Use the authenticator app')
  const code = page.getByLabel('Code from your authenticator app')
  await code.fill('000 000')
  await press(page, 'Verify')
  await expect(page.getByRole('alert')).toHaveText(/^This code is not right/)
  await expectAccessible(page)
  // The code of the enrollment is used: the next one.
  await code.fill(codes(new Date(), 1))
  await page.keyboard.press('Enter')
  await signedIn(page)

  await signOutAndSignIn(page)
  await press(page, 'Use a recovery code')
  await page.getByLabel('Recovery code').fill(recoveryCodes[0] ?? '')
  await page.keyboard.press('Enter')
  await signedIn(page)

  await press(page, 'Sign out')
  await press(page, 'Sign in with a passkey')
  await signedIn(page)
  await page.goto('/settings/security')
  await expect(page.getByRole('region', { name: 'Recovery codes' })).toContainText('9 unused codes')
  for (const name of ['Laptop', 'Authenticator app']) {
    await page.getByRole('button', { name: `Remove ${name}` }).click()
    await dialog(page).getByRole('button', { name: 'Remove', exact: true }).click()
    await expect(page.getByText(`${name} was removed.`)).toBeVisible()
  }
  await expect(page.getByText('No second factor yet')).toBeVisible()
})

test('while a second factor is required, a person without one adds one first', async ({ page, problems, server }) => {
  problems.expected.push(REFUSED, /status of 403/, /status of 409/)
  await signIn(page)
  await page.goto('/settings/security')
  await press(page, 'Require for everyone')
  await dialog(page).getByRole('button', { name: 'Require for everyone' }).click()
  await expect(dialog(page).getByRole('alert')).toHaveText('Add a second factor to your own account first.')
  await dialog(page).getByRole('button', { name: 'Cancel' }).click()
  await addTotp(page)
  await press(page, 'Require for everyone')
  await dialog(page).getByRole('button', { name: 'Require for everyone' }).click()
  await expect(page.getByText('Everyone needs a second factor now.')).toBeVisible()
  await press(page, 'Sign out')

  const db = connect(urlOfRunning(server.dataDir) ?? '')
  const { password_hash } = await db.selectFrom('users').select('password_hash').executeTakeFirstOrThrow()
  const { email } = await makeUser(db, { role: 'auditor', password_hash })
  await db.destroy()
  await page.goto('/login?redirect=/tenants')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.keyboard.press('Enter')
  const enrollment = page.getByRole('heading', { name: 'Add a second factor', exact: true })
  await expect(enrollment).toBeVisible()
  await page.goto('/users/create')
  await expect(enrollment).toBeVisible()
  await expectAccessible(page)
  await addTotp(page)
  await expect(page.getByRole('heading', { name: 'New User' })).toBeVisible()
})
