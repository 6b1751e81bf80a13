import { LINK_REFUSED } from '@switchboard/contract/links'
import { callApi, expect, expectAccessible, expectNoSidewaysScroll, test as withoutMail } from './fixtures.ts'
import { makeMember } from './members.ts'
import { EMAIL, PASSWORD } from './server.ts'
import { openElsewhere, receivedLink, withMail } from './with-mail.ts'
import { chooseAction } from './tenant-keys.ts'

const NEW = 'ada.new@switchboard.example'

withMail(
  'a new address takes effect when its link is opened, can be sent again and canceled before, and both addresses get a notice',
  async ({ signedIn: page, browser, mailbox, problems }) => {
    // The confirmation ends the session of the first page.
    problems.expected.push(/status of 401/)
    await page.goto('/settings')
    const profile = page.getByRole('region', { name: 'Profile Information' })
    const pending = profile.getByRole('status').filter({ hasText: `The new address ${NEW} takes effect` })
    const ask = async () => {
      await profile.getByLabel('Email').fill(NEW)
      await profile.getByLabel('Confirm with your password').fill(PASSWORD)
      await profile.getByRole('button', { name: 'Save Changes' }).click()
      await expect(profile.getByText(`Open the link in the mail to ${NEW} to finish the change.`)).toBeVisible()
      await expect(profile.getByLabel('Email')).toHaveValue(EMAIL)
      await expect(pending).toBeVisible()
    }
    await ask()
    for (const width of [1440, 320]) {
      await page.setViewportSize({ width, height: 900 })
      await expectAccessible(page)
      await expectNoSidewaysScroll(page, width)
    }
    const first = await receivedLink(mailbox, NEW)
    mailbox.mails.length = 0
    await profile.getByRole('button', { name: 'Send again' }).click()
    const second = await receivedLink(mailbox, NEW)
    const replaced = await openElsewhere(browser, first)
    await expect(replaced.getByRole('alert')).toContainText(LINK_REFUSED)
    await replaced.context().close()
    await profile.getByRole('button', { name: 'Cancel the new address' }).click()
    await expect(pending).toHaveCount(0)

    mailbox.mails.length = 0
    await ask()
    const opened = await openElsewhere(browser, await receivedLink(mailbox, NEW))
    expect(await receivedLink(mailbox, NEW)).not.toBe(second)
    await expect(opened).toHaveURL(/\/email-change$/)
    await expect(opened.getByText(`The account ${EMAIL} gets the address ${NEW}`)).toBeVisible()
    await expectAccessible(opened)
    await expectNoSidewaysScroll(opened, 320)
    mailbox.mails.length = 0
    await opened.getByRole('button', { name: 'Confirm Address' }).click()
    await expect(opened.getByText(`Your account has the address ${NEW}. All its sessions have ended.`)).toBeVisible()
    for (const address of [EMAIL, NEW])
      await expect
        .poll(() =>
          mailbox.mails.some(
            ({ to, text }) => JSON.stringify(to).includes(address) && text?.includes('was changed from'),
          ),
        )
        .toBe(true)
    await opened.getByRole('link', { name: 'Sign In' }).click()
    await opened.getByLabel('Email').fill(NEW)
    await opened.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await opened.keyboard.press('Enter')
    await expect(opened.getByRole('heading', { name: 'Admin Dashboard' })).toBeVisible()

    // Back to the address of the other stories.
    mailbox.mails.length = 0
    await callApi(opened, 'PUT', 'auth/profile', { email: EMAIL, current_password: PASSWORD })
    const back = await openElsewhere(browser, await receivedLink(mailbox, EMAIL))
    await back.getByRole('button', { name: 'Confirm Address' }).click()
    await expect(back.getByText(`Your account has the address ${EMAIL}.`)).toBeVisible()
  },
)

withMail('the new address of a member is shown in the team, and canceled there', async ({ signedIn: page, server }) => {
  const email = await makeMember(server, 'support')
  await page.goto(`/users?q=${email}`)
  await chooseAction(page, 'Edit', email)
  const dialog = page.getByRole('dialog', { name: 'Edit User' })
  await dialog.getByLabel('Email Address').fill('member.new@example.com')
  await dialog.getByRole('button', { name: 'Save Changes' }).click()
  await expect(page.getByText(`${email} keeps this address until the link in the mail to`)).toBeVisible()
  await page.goto('/settings/team')
  const row = page.getByRole('row').filter({ hasText: email })
  await expect(row).toContainText(
    'The new address member.new@example.com takes effect when the link sent to it is opened.',
  )
  await expectAccessible(page)
  await row.getByRole('button', { name: `More actions for ${email}` }).click()
  await page.getByRole('menuitem', { name: 'Cancel New Address' }).click()
  await expect(row).not.toContainText('member.new@example.com')
})

withoutMail('without mail, a hint says that a new address takes effect at once', async ({ signedIn: page }) => {
  await page.goto('/settings')
  const profile = page.getByRole('region', { name: 'Profile Information' })
  await expect(profile).toContainText('You sign in with this email address.')
  await profile.getByLabel('Email').fill(NEW)
  await expect(profile).toContainText(
    'This server sends no mail, so a new address takes effect at once, without a check.',
  )
})
