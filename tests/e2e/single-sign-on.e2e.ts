import { freePort } from '#apps/admin-api/src/testing/free-port.ts'
import { CLIENT, type IdentityProvider, startIdentityProvider } from '#apps/admin-api/src/testing/identity-provider.ts'
import { callApi, expect, expectAccessible, signInHere, test as base } from './fixtures.ts'
import { type Server, startServer } from './server.ts'

// A real identity provider (oidc-provider), and servers on which only break-glass accounts sign in with a password.

/** For pages after redirects over two servers, on a busy machine. */
const SLOW = { timeout: 20_000 }

const test = base.extend<object, { provider: IdentityProvider; consoleUrl: string; server: Server }>({
  consoleUrl: [async ({}, use) => await use(`http://127.0.0.1:${await freePort()}`), { scope: 'worker' }],
  provider: [
    async ({ consoleUrl }, use) => {
      const provider = await startIdentityProvider(consoleUrl)
      await use(provider)
      await provider.close()
    },
    { scope: 'worker' },
  ],
  server: [
    async ({ consoleUrl, provider }, use) => {
      const server = await startServer({
        PORT: new URL(consoleUrl).port,
        PUBLIC_URL: consoleUrl,
        OIDC_ISSUER: provider.issuer,
        OIDC_CLIENT_ID: CLIENT.clientId,
        OIDC_CLIENT_SECRET: CLIENT.clientSecret,
        OIDC_ROLES: 'groups: admins=super_admin, helpers=support, audit=auditor',
        PASSWORD_SIGN_IN: 'off',
      })
      await use(server)
      await server.stop()
    },
    { scope: 'worker' },
  ],
})

test('a person signs in, has a new role at the next sign-in, and is signed out by the identity provider', async ({
  page,
  context,
  provider,
  problems,
}) => {
  const ada = { email: 'ada.sso@example.com', email_verified: true }
  provider.people.set('ada', { ...ada, groups: ['staff', 'helpers'] })
  const link = page.getByRole('link', { name: 'Sign In with Single Sign-on' })
  const role = async () => await callApi(page, 'GET', 'auth/me')

  await page.goto('/tenants?status=inactive')
  await expect(page).toHaveURL(/\/login\?redirect=/)
  await expectAccessible(page)
  await link.click()
  await page.getByLabel('Subject').fill('ada')
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByRole('heading', { name: 'Tenants', exact: true })).toBeVisible(SLOW)
  await expect(page).toHaveURL('/tenants?status=inactive')
  expect(await role()).toMatchObject({ email: ada.email, role: 'support' })

  provider.people.set('ada', { ...ada, groups: ['audit'] })
  await page.getByRole('button', { name: 'Sign out' }).click()
  await link.click()
  await expect(page.getByRole('heading', { name: 'Admin Dashboard' })).toBeVisible(SLOW)
  expect(await role()).toMatchObject({ role: 'auditor' })

  const other = await context.newPage()
  await other.goto(`${provider.issuer}/session/end`)
  await other.getByRole('button', { name: 'Sign out' }).click()
  // The identity provider shows this page after the console has taken the logout token.
  await expect(other.getByText('Signed out')).toBeVisible(SLOW)
  // The stored token is refused: by auth/me, and by the calls of the dashboard, which do not wait for auth/me.
  problems.expected.push(/status of 401/)
  await page.reload()
  await expect(link).toBeVisible(SLOW)
  await expect(page).toHaveURL(/\/login\?redirect=%2F$/)
})

test('without a role, /login says so, and a password needs a break-glass account', async ({
  page,
  provider,
  problems,
}) => {
  problems.expected.push(/status of 403/)
  provider.people.set('eve', { email: 'eve@example.com', email_verified: true, groups: ['staff'] })
  await page.goto('/login')
  await page.getByRole('link', { name: 'Sign In with Single Sign-on' }).click()
  await page.getByLabel('Subject').fill('eve')
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByRole('alert')).toHaveText(
    'You have no role in this console. Ask the people who run it for access.',
  )
  await expect(page).toHaveURL('/login')
  await expectAccessible(page)

  await page.getByRole('button', { name: 'Sign In with a Password' }).click()
  await signInHere(page)
  await expect(page.getByRole('alert')).toHaveText(
    'Sign in with single sign-on. Passwords are turned off for this account.',
  )
})

test('a damaged sign-in address leads to /login with a sentence, and the next sign-in works', async ({
  page,
  provider,
}) => {
  provider.people.set('kim', { email: 'kim.sso@example.com', email_verified: true, groups: ['helpers'] })
  for (const damaged of ['start?redirect=%ff', 'callback?state=%ff', `callback?state=${'x'.repeat(5_000)}`]) {
    await page.goto(`/api/v1/admin/auth/oidc/${damaged}`)
    await expect(page).toHaveURL('/login')
    await expect(page.getByRole('alert')).toHaveText('Single sign-on is not available at the moment. Try again later.')
  }
  await page.getByRole('link', { name: 'Sign In with Single Sign-on' }).click()
  await page.getByLabel('Subject').fill('kim')
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByRole('heading', { name: 'Admin Dashboard' })).toBeVisible(SLOW)
})
