import { callApi, expect, expectAccessible, openDashboard, openSession, test } from './fixtures.ts'
import { makeMember } from './members.ts'
import { EMAIL } from './server.ts'
import { rowOf } from './tables.ts'
import { chooseAction } from './tenant-keys.ts'

test('a member gets another role, loses sessions and access, and is removed', async ({
  signedIn: page,
  browser,
  server,
}) => {
  const email = await makeMember(server, 'support')
  const context = await browser.newContext({ baseURL: server.url })
  const theirs = await context.newPage()
  await openSession(theirs, email)
  await openDashboard(theirs)

  await page.goto('/settings')
  await page.getByRole('complementary').getByRole('link', { name: 'Team' }).click()
  await expect(page).toHaveTitle('Team · Switchboard')
  const row = rowOf(page, 'Team', email)
  await expect(row).toContainText('Support')
  await expect(row).toContainText('Password')
  await expect(row).toContainText('No second factor')
  await expectAccessible(page)
  const own = rowOf(page, 'Team', EMAIL)
  await expect(own).toContainText('You')
  await own.getByRole('button').click()
  await expect(page.getByRole('menuitem')).toHaveText(['History'])
  await page.keyboard.press('Escape')

  await chooseAction(row, 'Change Role')
  const roles = page.getByRole('dialog', { name: 'Change Role' })
  await roles.getByLabel('Role').selectOption('Auditor')
  await expect(roles.getByText('Sees and exports everything. Changes nothing.')).toBeVisible()
  await expectAccessible(page)
  await roles.getByRole('button', { name: 'Change Role' }).click()
  await expect(page.getByText(`${email} has the role Auditor.`)).toBeVisible()
  await expect(row).toContainText('Auditor')
  expect(await callApi(theirs, 'GET', 'auth/me')).toMatchObject({ role: 'auditor' })

  await chooseAction(row, 'Sessions')
  const sessions = page.getByRole('dialog', { name: `Sessions of ${email}` })
  await expect(sessions.getByText(/^Chrome on/)).toBeVisible()
  await expectAccessible(page)
  await sessions.getByRole('button', { name: 'End all sessions' }).click()
  await expect(sessions.getByText('No open sessions')).toBeVisible()
  await expect(sessions.getByRole('button', { name: 'Done' })).toBeFocused()
  await page.keyboard.press('Enter')
  await theirs.reload()
  await expect(theirs).toHaveURL(/\/login/)
  await context.close()

  await chooseAction(row, 'Deactivate')
  const deactivation = page.getByRole('dialog', { name: 'Deactivate Member' })
  await deactivation.getByRole('button', { name: 'Deactivate', exact: true }).click()
  await expect(row).toContainText('Inactive')
  await expect(page.getByText(`${email} was deactivated and cannot sign in to the console.`)).toBeVisible()
  await chooseAction(row, 'Remove')
  const removal = page.getByRole('dialog', { name: 'Remove Member' })
  await expect(removal).toContainText(email)
  await removal.getByRole('button', { name: 'Remove', exact: true }).click()
  await expect(page.getByText(`${email} was removed.`)).toBeVisible()
  await expect(row).toHaveCount(0)
})

test('the dialogs list what a member loses: sessions, tokens by name, invitations', async ({
  signedIn: page,
  browser,
  server,
}) => {
  const email = await makeMember(server, 'super_admin')
  const context = await browser.newContext({ baseURL: server.url })
  const theirs = await context.newPage()
  await openSession(theirs, email)
  await callApi(theirs, 'POST', 'tokens', { name: 'Nightly export', scopes: ['read'] })
  await callApi(theirs, 'POST', 'invitations', { email: `friend-of-${email}`, role: 'auditor' })
  await context.close()

  await page.goto('/settings/team')
  const row = rowOf(page, 'Team', email)
  const ends = page.getByRole('dialog').getByRole('list', { name: 'Ends permanently' }).getByRole('listitem')
  const all = ['1 open session', '1 service token: Nightly export', '1 invitation that they sent']

  await chooseAction(row, 'Change Role')
  const roles = page.getByRole('dialog', { name: 'Change Role' })
  await expect(ends).toHaveCount(0)
  await roles.getByLabel('Role').selectOption('Support')
  await expect(ends).toHaveText(all.slice(1))
  await expectAccessible(page)
  await roles.getByLabel('Role').selectOption('super_admin')
  await expect(ends).toHaveCount(0)
  await page.keyboard.press('Escape')

  await chooseAction(row, 'Deactivate')
  await expect(ends).toHaveText(all)
  await page.keyboard.press('Escape')
  await page.goto(`/users?q=${email}`)
  await chooseAction(rowOf(page, 'Users', email), 'Deactivate')
  await expect(page.getByRole('dialog', { name: 'Deactivate Member' })).toBeVisible()
  await expect(ends).toHaveText(all)
  await page.keyboard.press('Escape')

  await page.goto('/settings/team')
  await chooseAction(row, 'Remove')
  await expect(ends).toHaveText(all)
  await expectAccessible(page)
  await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click()
  await expect(row).toHaveCount(0)
  await page.goto('/settings/tokens')
  await expect(rowOf(page, 'Service tokens', 'Nightly export')).toContainText('Revoked')
})

test('the permission of a single sign-on member to use a password can be given and taken away', async ({
  signedIn: page,
  server,
}) => {
  const email = await makeMember(server, 'support', { isOfSingleSignOn: true })
  await page.goto('/settings/team')
  const row = rowOf(page, 'Team', email)
  await expect(row).toContainText('Single sign-on')
  await chooseAction(row, 'Allow Password')
  const allowing = page.getByRole('dialog', { name: 'Allow Password' })
  await expectAccessible(page)
  await allowing.getByRole('button', { name: 'Allow Password' }).click()
  await expect(row).toContainText('Single sign-on, may also use a password')
  await chooseAction(row, 'End Password')
  await page.getByRole('dialog', { name: 'End Password' }).getByRole('button', { name: 'End Password' }).click()
  await expect(page.getByText(`${email} signs in with single sign-on only.`)).toBeVisible()
  await expect(row).not.toContainText('may also use a password')
})

test('a conflict over a role shows the current role', async ({ signedIn: page, server, problems }) => {
  problems.expected.push(/status of 412/)
  const email = await makeMember(server, 'support')
  await page.goto('/settings/team')
  await chooseAction(rowOf(page, 'Team', email), 'Change Role')
  const members = await callApi(page, 'GET', 'team')
  const member: unknown = Array.isArray(members) ? members.find((one) => one.email === email) : undefined
  await callApi(page, 'PATCH', `team/${String(Reflect.get(Object(member), 'id'))}`, { role: 'super_admin' })
  const dialog = page.getByRole('dialog', { name: 'Change Role' })
  await dialog.getByLabel('Role').selectOption('Auditor')
  await dialog.getByRole('button', { name: 'Change Role' }).click()
  await expect(dialog.getByText(/changed this member/)).toBeVisible()
  await dialog.getByRole('button', { name: /^Keep/ }).click()
  await expect(rowOf(page, 'Team', email)).toContainText('Auditor')
})
