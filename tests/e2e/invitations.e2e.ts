import type { Page } from '@playwright/test'
import { acceptInvitation } from '@switchboard/contract/invitations'
import { LINK_REFUSED } from '@switchboard/contract/links'
import { runExample } from '@switchboard/testing/example-process'
import * as z from 'zod/mini'
import { callApi, expect, expectAccessible, expectNoSidewaysScroll, test as withoutMail } from './fixtures.ts'
import { chooseAction, makeTenant, secretOf } from './tenant-keys.ts'
import { openElsewhere, receivedLink, withMail } from './with-mail.ts'

const NEW_PASSWORD = 'seven sisters walk at dusk'
const OTHER_PASSWORD = 'kettles under nine plums'

async function choosePassword(page: Page, password: string, button: string): Promise<void> {
  await page.getByLabel('New password', { exact: true }).fill(password)
  await page.getByLabel('Confirm new password').fill(password)
  await page.getByRole('button', { name: button }).click()
}

async function signInAs(page: Page, email: string, password: string): Promise<void> {
  await page.getByRole('link', { name: 'Sign In' }).click()
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Admin Dashboard' })).toBeVisible()
}

const row = (page: Page, email: string) =>
  page.getByRole('list', { name: 'Pending invitations' }).getByRole('listitem').filter({ hasText: email })

async function invite(page: Page, email: string, role: string, button: string): Promise<void> {
  await page.getByRole('button', { name: 'Invite Person' }).click()
  const dialog = page.getByRole('dialog', { name: 'Invite Person' })
  await dialog.getByLabel('Email').fill(email)
  await dialog.getByLabel('Role').selectOption(role)
  await expectAccessible(page)
  await dialog.getByRole('button', { name: button }).click()
}

withMail(
  'a second super admin is invited by mail and works within two minutes; the link works once',
  async ({ onDashboard: page, browser, mailbox }) => {
    const email = 'grace@example.com'
    await page.goto('/settings/system')
    await page.getByRole('button', { name: 'Send test mail' }).click()
    await expect(page.getByText('The mail server took a test mail to ada@switchboard.example.')).toBeVisible()
    await page.goto('/settings/team')
    await expect(page.getByText(/^\d+ members?$/).last()).toBeVisible()
    await expect(page.getByRole('region', { name: 'Pending invitations' })).toHaveCount(0)
    const begun = Date.now()
    await invite(page, email, 'Super admin', 'Send invitation')
    await expect(row(page, email)).toContainText('Mail sent')
    await expect(row(page, email)).toContainText('Super admin')
    await expectAccessible(page)
    await expectNoSidewaysScroll(page, 320)

    const link = await receivedLink(mailbox, email)
    const invited = await openElsewhere(browser, link)
    await expect(invited).toHaveURL(/\/invitation$/)
    await expect(invited.getByLabel('Email')).toHaveValue(email)
    await expect(invited.getByLabel('Name')).toBeFocused()
    await expectAccessible(invited)
    await expectNoSidewaysScroll(invited, 320)
    const field = invited.getByLabel('New password', { exact: true })
    await field.fill('password12345')
    await expect(field).toHaveAccessibleDescription(/too common/)
    await expect(field).not.toHaveAttribute('aria-invalid', 'true')
    await choosePassword(invited, 'password12345', 'Accept invitation')
    await expect(field).toHaveAttribute('aria-invalid', 'true')
    await field.fill(NEW_PASSWORD)
    await expect(field).toHaveAccessibleDescription('Strong.')
    await choosePassword(invited, NEW_PASSWORD, 'Accept invitation')
    await expect(invited.getByText('The account of grace@example.com is ready.')).toBeVisible()
    await signInAs(invited, email, NEW_PASSWORD)
    expect(Date.now() - begun).toBeLessThan(120_000)
    await invited.context().close()

    const again = await openElsewhere(browser, link)
    await expect(again.getByRole('alert')).toContainText(LINK_REFUSED)
    await expectAccessible(again)
    await again.context().close()
    await page.reload()
    await expect(page.getByText(/^\d+ members?$/).last()).toBeVisible()
    await expect(page.getByRole('region', { name: 'Pending invitations' })).toHaveCount(0)
  },
)

withMail(
  'a mail that the server refuses shows the reason, is sent again, and is withdrawn',
  async ({ onDashboard: page, mailbox }) => {
    const email = 'refused@example.com'
    await page.goto('/settings/team')
    mailbox.behave(550)
    await invite(page, email, 'Support', 'Send invitation')
    await expect(row(page, email)).toContainText('Mail failed')
    await expect(row(page, email)).toContainText('The mail server refused the address.')
    mailbox.behave('take')
    await row(page, email).getByRole('button', { name: 'Send again' }).click()
    await expect(row(page, email)).toContainText('Mail sent')
    await row(page, email).getByRole('button', { name: 'Withdraw' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click()
    await expect(row(page, email)).toHaveCount(0)
    await expect(page.getByRole('heading', { name: 'Team' })).toBeFocused()
  },
)

withMail('a forgotten password is replaced by the link of a mail', async ({ onDashboard: page, browser, mailbox }) => {
  const email = 'forgetful@example.com'
  await callApi(page, 'POST', 'invitations', { email, role: 'support' })
  const token = (await receivedLink(mailbox, email)).split('#')[1]
  await page.request.post(acceptInvitation.url, { data: { token, password: NEW_PASSWORD } })
  mailbox.mails.length = 0

  const person = await openElsewhere(browser, new URL('/login', page.url()).href)
  await person.getByRole('link', { name: 'Forgot password?' }).click()
  await expect(person.getByRole('heading', { name: 'Forgot password' })).toBeVisible()
  await expectAccessible(person)
  await person.getByLabel('Email').fill(email)
  await person.getByRole('button', { name: 'Send Link' }).click()
  await expect(person.getByText('If an active account has this address, a link is on its way.')).toBeVisible()
  await person.goto(await receivedLink(mailbox, email))
  await expect(person).toHaveURL(/\/reset-password$/)
  await expectAccessible(person)
  await person.getByLabel('New password', { exact: true }).fill(OTHER_PASSWORD)
  await expect(person.getByLabel('New password', { exact: true })).toHaveAccessibleDescription('Strong.')
  await choosePassword(person, OTHER_PASSWORD, 'Change Password')
  await expect(person.getByText('Your password was changed.')).toBeVisible()
  await signInAs(person, email, OTHER_PASSWORD)
  await person.context().close()
})

withMail('a user of a tenant is invited by mail to the portal of the tenant', async ({ signedIn: page, mailbox }) => {
  const tenantId = await makeTenant(page, 'Petrel Portal')
  const email = 'paul@petrel.example'
  await page.goto(`/users/create?tenant_id=${tenantId}`)
  await page.getByLabel('Email Address').fill(email)
  await page.getByLabel('Send an invitation instead of a password').check()
  await page.getByRole('button', { name: 'Create User' }).click()
  await expect(page.getByText(`${email} was created and gets an invitation.`)).toBeVisible()
  await expect(page.getByRole('row').filter({ hasText: email })).toContainText('Invited')
  const link = await receivedLink(mailbox, email)
  expect(link).toMatch(/^https:\/\/[\w-]+\.switchboard\.example\/invitation#[\w-]{43}$/)
  await chooseAction(page, 'Send Invitation', email)
  await expect(page.getByText(`The invitation to ${email} is on its way.`)).toBeVisible()
  await expect.poll(async () => await receivedLink(mailbox, email)).not.toBe(link)
})

withoutMail(
  'the link of an invitation lets a user choose a password at the portal of the documents',
  async ({ signedIn: page, server }) => {
    const tenant_id = await makeTenant(page, 'Gannet Portal')
    const key = secretOf(await callApi(page, 'POST', 'api-keys', { tenant_id }))
    const body = { email: 'gus@gannet.example', role: 'user', tenant_id, send_invitation: true }
    const answer = z.object({ invitation_link: z.url() }).parse(await callApi(page, 'POST', 'tenant-admins', body))
    const portal = runExample('portal/portal.mjs', { AI_API_URL: server.aiUrl, API_KEY: key })
    await page.goto(`${await portal.ready}/invitation${new URL(answer.invitation_link).hash}`)
    await page.getByLabel('New password').fill('kettles under a plum tree')
    await page.getByRole('button', { name: 'Choose password' }).click()
    await expect(page.getByText('You are signed in as gus@gannet.example (user).')).toBeVisible()
    portal.child.kill()
  },
)

withoutMail(
  'without mail the link is shown once to pass on, and /forgotten-password says whom to ask',
  async ({ onDashboard: page, browser }) => {
    const email = 'by-hand@example.com'
    await page.goto('/settings/system')
    await expect(page.getByText('SMTP_URL is not set.')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Send test mail' })).toHaveCount(0)
    await page.goto('/settings/team')
    await invite(page, email, 'Support', 'Make link')
    const dialog = page.getByRole('dialog', { name: 'Invitation Link' })
    const first = await dialog.locator('code').textContent()
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('button', { name: 'Close Anyway' }).click()
    await row(page, email).getByRole('button', { name: 'New link' }).click()
    const second = await dialog.locator('code').textContent()
    await dialog.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('button', { name: 'Close Anyway' }).click()

    const replaced = await openElsewhere(browser, first ?? '')
    await expect(replaced.getByRole('alert')).toContainText(LINK_REFUSED)
    await replaced.context().close()
    const invited = await openElsewhere(browser, second ?? '')
    await choosePassword(invited, NEW_PASSWORD, 'Accept invitation')
    await signInAs(invited, email, NEW_PASSWORD)
    await invited.goto(new URL('/forgotten-password', page.url()).href)
    await expect(invited.getByText('npm run admin -- reset-password EMAIL')).toBeVisible()
    await expectAccessible(invited)
    await invited.context().close()
  },
)
