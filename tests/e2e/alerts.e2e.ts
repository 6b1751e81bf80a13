import { listTeam } from '@switchboard/contract/team'
import { callApi, expect, expectAccessible, expectNoSidewaysScroll, openSession, test } from './fixtures.ts'
import { makeMember } from './members.ts'
import { chooseAction, makeKey, makeTenant } from './tenant-keys.ts'
import { rowsOf } from './tables.ts'
import { withMail } from './with-mail.ts'

/** A worker looks every ten seconds, and the bell every twenty. */
const SEEN = { timeout: 60_000 }

withMail(
  'an alert comes by mail and to the bell, leads to its remedy, and is resolved',
  async ({ signedIn: page, mailbox, server }) => {
    const tenant = await makeTenant(page, 'Alarmed Works')
    const expires_at = new Date(Date.now() + 2 * 86_400_000).toISOString()
    const key = await makeKey(page, tenant, { name: 'Till', expires_at })
    await page.goto('/tenants')
    const text = 'The API key “Till” of Alarmed Works expires within 3 days'
    const mails = () => mailbox.mails.map((mail) => mail.text ?? '').filter((mail) => mail.includes(text))
    await expect.poll(() => mails().length, SEEN).toBe(1)
    const link = `${server.url}/keys?key=${key}`
    expect(mails()[0]).toContain(link)

    const bell = page.getByRole('button', { name: /^Alerts \d+ unread$/ }).filter({ visible: true })
    await expect(bell).toBeVisible(SEEN)
    await bell.focus()
    await page.keyboard.press('Enter')
    const list = page.getByRole('dialog', { name: 'Alerts' })
    const item = list.getByRole('listitem').filter({ hasText: text })
    await expect(item).toContainText('Unread: ')
    await expectAccessible(page)
    await expectNoSidewaysScroll(page, 390, 320)
    await page.keyboard.press('Escape')
    await expect(bell).toBeFocused()

    await page.goto(link)
    const drawer = page.getByRole('dialog', { name: 'Till' })
    await drawer.getByRole('button', { name: 'Deactivate' }).click()
    await expect(drawer).toContainText('the key is inactive')
    await page.keyboard.press('Escape')
    await page
      .getByRole('button', { name: /^Alerts/ })
      .filter({ visible: true })
      .click()
    await expect(item).toContainText('Resolved', SEEN)
    await item.getByRole('link', { name: /^Open key/ }).click()
    await expect(list).toHaveCount(0)
    await expect(page).toHaveURL(link)
    expect(mails()).toHaveLength(1)
  },
)

test('unread alerts are counted until they are marked as read, for one person only', async ({
  signedIn: page,
  browser,
  server,
}) => {
  const tenant = await makeTenant(page, 'Unread Works')
  for (const name of ['Door', 'Desk'])
    await makeKey(page, tenant, { name, expires_at: new Date(Date.now() + 86_400_000).toISOString() })
  await page.goto('/settings/alerts')
  const alerts = page.getByRole('region', { name: /open alerts?$/ }).getByRole('listitem')
  await expect(alerts.filter({ hasText: 'Unread Works' })).toHaveCount(2, SEEN)
  await page.getByRole('button', { name: 'Mark All as Read' }).click()
  await expect(page.getByText('Unread: ')).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Alerts', exact: true }).filter({ visible: true })).toBeVisible()

  const auditor = await makeMember(server, 'auditor')
  const other = await (await browser.newContext({ baseURL: new URL(page.url()).origin })).newPage()
  await openSession(other, auditor)
  await other.goto('/settings/alerts')
  await expect(other.getByText('Unread: ').first()).toBeAttached()
  // An auditor reads the rules, and changes none.
  await expect(rowsOf(other, 'Rules').first()).toBeVisible()
  await expect(other.getByRole('button', { name: /^More actions/ })).toHaveCount(0)
  // The page of an alert's link may be one that an auditor must not open.
  const email = await makeMember(server, 'support')
  const team = listTeam.schema.response[200].parse(await callApi(page, 'GET', 'team'))
  await callApi(page, 'PATCH', `team/${team.find((member) => member.email === email)?.id}`, {
    role: 'auditor',
  })
  for (const [reader, count] of [
    [page, 1],
    [other, 0],
  ] as const) {
    const alert = reader.getByRole('listitem').filter({ hasText: `The role of ${email} was changed` })
    await expect(alert).toBeVisible(SEEN)
    await expect(alert.getByRole('link', { name: /^Open Team/ })).toHaveCount(count)
  }
  await other.context().close()
})

test('a rule gets another number and other people, and is switched off and on again', async ({ signedIn: page }) => {
  await page.goto('/settings/alerts')
  await expect(page.getByText('This server sends no mail: SMTP_URL is not set.')).toBeVisible()
  const row = rowsOf(page, 'Rules').filter({ hasText: 'Many refused calls' })
  await expect(row).toContainText('1,000 refused calls')
  await expect(row).toContainText('All super admins')
  await chooseAction(page, 'Edit', 'Many refused calls')
  const dialog = page.getByRole('dialog', { name: 'Many refused calls' })
  await dialog.getByLabel('Alert at').fill('0')
  await dialog.getByRole('button', { name: 'Save Rule' }).click()
  await expect(dialog).toContainText('Use a number from 1 to 1,000,000,000.')
  await dialog.getByLabel('Alert at').fill('50')
  await dialog.getByRole('button', { name: 'Chosen People' }).click()
  await expect(dialog.getByRole('checkbox', { name: 'ada@switchboard.example' })).toBeChecked()
  await expectAccessible(page)
  await expectNoSidewaysScroll(page, 390, 320)
  await dialog.getByRole('button', { name: 'Save Rule' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(row).toContainText('50 refused calls')
  await expect(row).toContainText('ada@switchboard.example')

  await chooseAction(page, 'Switch Off', 'Many refused calls')
  await expect(page.getByText('“Many refused calls” is off.')).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(row).toContainText('On')
  await expectNoSidewaysScroll(page, 390, 320)
  await expectAccessible(page)
})

test('quiet hours are set', async ({ signedIn: page }) => {
  await page.goto('/settings/alerts')
  await page.getByRole('button', { name: 'Change Times' }).click()
  const dialog = page.getByRole('dialog', { name: 'Times of Messages' })
  await dialog.getByLabel('Minutes between two messages').fill('15')
  await dialog.getByRole('checkbox', { name: 'Quiet hours' }).check()
  await dialog.getByLabel('To', { exact: true }).selectOption('06:30')
  await dialog.getByLabel('Time zone').selectOption('Europe/Berlin')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Save Times' }).click()
  await expect(
    page.getByText('One message every 15 minutes at most. Quiet hours are from 22:00 to 06:30, Europe/Berlin.'),
  ).toBeVisible()
})
