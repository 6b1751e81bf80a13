import { expect, expectAccessible, expectNoSidewaysScroll, test, untilLoaded } from './fixtures.ts'

test('the system page shows the state of the servers, compares the counters and makes a backup', async ({
  signedIn: page,
}) => {
  await page.goto('/settings')
  await page.getByRole('complementary').getByRole('link', { name: 'System' }).click()
  await expect(page).toHaveURL('/settings/system')
  await untilLoaded(page)
  const card = (name: string) => page.getByRole('region', { name, exact: true })
  await expect(card('Database')).toContainText('Accepts changes')
  await expect(card('Workers')).toContainText(/Running.*process \d+/)
  await expect(card('Google')).toContainText('Sample data')
  await expect(card('Backups')).toContainText(/StateUp to date|NewestNone/)

  const settings = page.getByRole('region', { name: 'Settings', exact: true })
  await expect(settings.getByRole('row', { name: 'SUPER_ADMIN_PASSWORD' })).toContainText('SetEnvironment')
  await expect(settings.getByText('Default', { exact: true })).toHaveCount(0)
  await settings.getByRole('button', { name: 'Show All', expanded: false }).click()
  await expect(settings.getByRole('row', { name: 'SMTP_URL' })).toContainText('Not setDefault')
  await settings.getByRole('button', { name: 'Show fewer', expanded: true }).click()
  await expect(settings.getByText('Default', { exact: true })).toHaveCount(0)

  const counters = card('Counters')
  await counters.getByRole('button', { name: 'Compare with rows' }).click()
  await expect(counters.getByText(/^All counters agree with the rows, as of /)).toBeVisible()

  const backups = card('Backups')
  await expect(backups).toContainText('without SECRETS_KEY a restore cannot tell whether someone has changed a backup')
  await backups.getByRole('button', { name: 'Back up now' }).click()
  await expect(backups.getByText('The backup is complete.')).toBeVisible({ timeout: 60_000 })
  await expect(backups).toContainText(
    /Up to date.*by hand.*switchboard-.+\.backup, [\d.]+ k?B, up to row \d+ of the audit log/,
  )

  await card('Audit log').getByRole('button', { name: 'Verify Chain' }).click()
  const dialog = page.getByRole('dialog', { name: 'Verify Chain' })
  await dialog.getByRole('button', { name: 'Verify', exact: true }).click()
  await expect(dialog.getByText(/^Log intact: /)).toBeVisible()
  await dialog.getByRole('button', { name: 'Close', exact: true }).last().click()

  await expectAccessible(page)
  await expectNoSidewaysScroll(page, 1024, 640, 390, 320)
})
