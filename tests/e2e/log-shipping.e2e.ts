import { LOG_SINKS_MAX, logShipping, logSink } from '@switchboard/contract/signals/log-sinks'
import { type LogReceiver, startCollector } from '@switchboard/testing/log-receivers'
import { callApi, expect, expectAccessible, expectNoSidewaysScroll, test as withoutCollector } from './fixtures.ts'
import { startServer } from './server.ts'
import { chooseAction } from './tenant-keys.ts'

/** Servers that may call this machine, and a collector on it. */
const test = withoutCollector.extend<object, { collector: LogReceiver }>({
  collector: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of fixtures from this pattern
    async ({}, use) => {
      const collector = await startCollector()
      await use(collector)
      await collector.close()
    },
    { scope: 'worker' },
  ],
  server: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of fixtures from this pattern
    async ({}, use) => {
      const server = await startServer({ WEBHOOK_NETWORKS: '127.0.0.0/8' })
      await use(server)
      await server.stop()
    },
    { scope: 'worker', timeout: 120_000 },
  ],
})

test('a log sink is created, tested, mended, switched off and deleted', async ({
  signedIn: page,
  collector,
  problems,
}) => {
  // The private address is refused by the server.
  problems.expected.push(/422/)
  await page.goto('/settings/webhooks')
  await page.getByRole('link', { name: 'Log Shipping' }).click()
  await expect(page.getByText('No log sinks yet')).toBeVisible()
  await expectAccessible(page)

  await page.getByRole('button', { name: 'New Log Sink' }).click()
  const dialog = page.getByRole('dialog', { name: 'New Log Sink' })
  await dialog.getByLabel('Name').fill('Grafana')
  await dialog.getByLabel('Address').fill('collector')
  await dialog.getByLabel('Headers').fill('Bearer 1f0c')
  await dialog.getByRole('button', { name: 'Create Log Sink' }).click()
  await expect(dialog.getByText('Use an address such as https://collector.example.com:4318/v1/logs.')).toBeVisible()
  await expect(dialog.getByText('Write each header as "Name: value" on its own line.')).toBeVisible()
  await dialog.getByLabel('Address').fill('http://10.0.0.1/v1/logs')
  await dialog.getByLabel('Headers').fill('Authorization: Bearer 1f0c')
  await dialog.getByRole('button', { name: 'Create Log Sink' }).click()
  await expect(dialog.getByText('10.0.0.1 is not a public address, and not in WEBHOOK_NETWORKS.')).toBeVisible()
  await dialog.getByLabel('Address').fill(collector.address)
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Create Log Sink' }).click()
  await expect(page.getByText('Grafana was created. Send a test record to try it.')).toBeVisible()

  const row = page.getByRole('row', { name: /Grafana/ })
  await expect.poll(() => collector.received.map(({ record }) => record['action'])).toContain('log_sinks.create')
  expect(collector.headers).toMatchObject({ authorization: 'Bearer 1f0c' })
  await page.reload()
  await expect(row).toContainText(/Entry \d+Up to date/)
  await expect(row).toContainText('On')
  await expectAccessible(page)

  await chooseAction(row, 'Send Test Record')
  const question = page.getByRole('dialog', { name: 'Send Test Record' })
  await question.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(question.getByText('The record was received. Look for it there under the name "test".')).toBeVisible()
  await expectAccessible(page)
  collector.fails = () => true
  await question.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(question.getByText(/^The test failed\. The (collector|server) /)).toBeVisible()
  await question.getByRole('button', { name: 'Close' }).last().click()

  // The test itself is an entry, which the collector refuses.
  await page.reload()
  await expect(row).toContainText('Failing')
  await expect(
    page.getByText(/^Grafana: The (collector|server) .* Failing since \d\d:\d\d, tried again every few minutes\.$/),
  ).toBeVisible()
  await expectAccessible(page)
  collector.fails = () => false
  await chooseAction(row, 'Edit')
  const edit = page.getByRole('dialog', { name: 'Edit Log Sink' })
  await expect(edit.getByText('Leave blank to keep Authorization.')).toBeVisible()
  await edit.getByLabel('Name').fill('Loki')
  await edit.getByRole('checkbox', { name: 'Remove the stored headers' }).check()
  await expect(edit.getByLabel('Headers', { exact: true })).toBeDisabled()
  await expectAccessible(page)
  await edit.getByRole('button', { name: 'Save Changes' }).click()
  const renamed = page.getByRole('row', { name: /Loki/ })
  // A change is tried at once.
  await expect.poll(() => collector.received.at(-1)?.record['action']).toBe('log_sinks.update')
  await page.reload()
  await expect(renamed).toContainText('Up to date')
  await chooseAction(renamed, 'Edit')
  await expect(edit.getByText('Leave blank for none.', { exact: false })).toBeVisible()
  await expect(edit.getByRole('checkbox')).toHaveCount(0)
  await page.keyboard.press('Escape')

  await chooseAction(renamed, 'Switch Off')
  await expect(page.getByText('Loki is off.')).toBeVisible()
  await expect(renamed).toContainText('Off')
  await chooseAction(renamed, 'Delete')
  await page.getByRole('alertdialog').or(page.getByRole('dialog')).getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('No log sinks yet')).toBeVisible()
  await page.goto('/settings/activity')
  await expect(page.getByRole('row', { name: /Deleted the log sink Loki/ })).toBeVisible()
})

test('a sink of files shows the key that verifies them, and fits a phone', async ({ signedIn: page }) => {
  await page.goto('/settings/log-shipping')
  await page.getByRole('button', { name: 'New Log Sink' }).click()
  const dialog = page.getByRole('dialog', { name: 'New Log Sink' })
  await dialog.getByLabel('Kind').selectOption('Signed daily files')
  await expect(dialog.getByLabel('Address')).toHaveCount(0)
  await dialog.getByLabel('Name').fill('Files')
  await dialog.getByLabel('First entry').selectOption('The next one')
  await dialog.getByRole('button', { name: 'Create Log Sink' }).click()
  const row = page.getByRole('row', { name: /Files/ })
  await expect(row).toContainText('Nothing yet')
  await chooseAction(row, 'Public Key')
  const key = page.getByRole('dialog', { name: 'Public Key' })
  await expect(key.getByText('-----BEGIN PUBLIC KEY-----')).toBeVisible()
  await expectAccessible(page)
  await key.getByRole('button', { name: 'Close' }).last().click()
  await page.setViewportSize({ width: 320, height: 640 })
  // The subtitle is above the button, not squeezed beside it.
  const [subtitle, button] = await Promise.all([
    page.getByText('Places outside the database').boundingBox(),
    page.getByRole('button', { name: 'New Log Sink' }).boundingBox(),
  ])
  expect((subtitle?.y ?? 0) + (subtitle?.height ?? 0)).toBeLessThanOrEqual(button?.y ?? 0)
  await expectNoSidewaysScroll(page)
  await expectAccessible(page)
})

test('the maximum of log sinks is told instead of the button', async ({ signedIn: page }) => {
  // Other stories of this file have left some.
  const { sinks } = logShipping.parse(await callApi(page, 'GET', 'log-sinks'))
  const ids: string[] = []
  for (let n = sinks.length; n < LOG_SINKS_MAX; n += 1) {
    const body = { kind: 'syslog', name: `Vault ${n}`, address: `logs-${n}.example.com:6514` }
    ids.push(logSink.parse(await callApi(page, 'POST', 'log-sinks', body)).id)
  }
  await page.goto('/settings/log-shipping')
  await expect(page.getByText(`There can be ${LOG_SINKS_MAX} log sinks. Delete one to add another.`)).toBeVisible()
  await expect(page.getByRole('button', { name: 'New Log Sink' })).toHaveCount(0)
  for (const id of ids) await callApi(page, 'DELETE', `log-sinks/${id}`)
})
