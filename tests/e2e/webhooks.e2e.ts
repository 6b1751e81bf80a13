import { startReceiver } from '@switchboard/testing/receiver'
import { Webhook } from 'standardwebhooks'
import { callApi, expect, expectAccessible, test as shared } from './fixtures.ts'
import { loseAnswer } from './held-answers.ts'
import { shifted } from './measures/layout-shift.ts'
import { type Server, startServer } from './server.ts'
import { chooseAction, idOf, makeTenant } from './tenant-keys.ts'

// Receivers are on this machine.
const test = shared.extend<object, { server: Server }>({
  server: [
    async ({}, use) => {
      const server = await startServer({ WEBHOOK_NETWORKS: '127.0.0.0/8' })
      await use(server)
      await server.stop()
    },
    { scope: 'worker', timeout: 120_000 },
  ],
})

test('a webhook is made, its delivery fails, the receiver is mended, and the delivery replayed', async ({
  signedIn: page,
  problems,
}) => {
  // A refused address.
  problems.expected.push(/422/)
  const receiver = await startReceiver()
  await page.goto('/settings/webhooks')
  await page.getByRole('button', { name: 'New Webhook' }).click()
  const dialog = page.getByRole('dialog', { name: 'New Webhook' })
  await dialog.getByLabel('Address').fill('http://10.0.0.1/events')
  await dialog.getByRole('button', { name: 'Create Webhook' }).click()
  await expect(dialog.getByText('10.0.0.1 is not a public address, and not in WEBHOOK_NETWORKS.')).toBeVisible()
  await dialog.getByLabel('Address').fill(receiver.url)
  await dialog.getByLabel('Description').fill('Billing of the harbor')
  await dialog.getByLabel('Events').selectOption('Only some types')
  await dialog.getByRole('button', { name: 'Create Webhook' }).click()
  await expect(dialog.getByText('Choose a type, or every event.')).toBeVisible()
  await dialog.getByRole('checkbox', { name: /^tenant\.created/ }).check()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Create Webhook' }).click()
  const shown = page.getByRole('dialog', { name: 'Webhook Created' })
  const secret = await shown.locator('code').innerText()
  expect(secret).toMatch(/^whsec_/)
  await expectAccessible(page)
  await shown.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('button', { name: 'Close Anyway' }).click()

  await page.getByRole('link', { name: 'Billing of the harbor' }).click()
  await expect(page.getByText('No deliveries yet')).toBeVisible()
  await expect(page.getByRole('button', { name: /^Send Test/ })).toBeVisible()
  await page.goBack()

  receiver.answer = () => ({ status: 503, body: 'Closed for repairs' })
  await makeTenant(page, 'Webhook Bakery')
  await page.getByRole('link', { name: 'Billing of the harbor' }).click()
  const actions = page.getByRole('button', { name: /^More actions/ })
  await page.setViewportSize({ width: 390, height: 844 })
  await actions.click()
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Replay Since' })).toBeVisible()
  await page.keyboard.press('Escape')
  await page.setViewportSize({ width: 1280, height: 800 })
  const row = page.getByRole('row', { name: /tenant\.created/ })
  await expect(row).toContainText('Webhook Bakery')
  await expect(row).toContainText('Retrying')
  await expect(page.getByRole('region', { name: 'State' })).toContainText('The receiver fails')
  await expectAccessible(page)
  await row.getByRole('link', { name: 'tenant.created' }).click()
  const drawer = page.getByRole('dialog', { name: 'Delivery' })
  await expect(drawer.getByText('The receiver answered with status 503.').first()).toBeVisible()
  await expect(drawer.getByLabel('Body of the answer')).toHaveText('Closed for repairs')
  await expect(drawer.getByLabel('Body of the request')).toContainText('"name": "Webhook Bakery"')
  await expectAccessible(page)

  receiver.answer = () => 204
  await drawer.getByRole('button', { name: 'Replay' }).click()
  await expect(drawer.getByText('Delivered')).toBeVisible()
  await expect(drawer.getByText('Status 204.')).toBeVisible()
  const got = receiver.received.at(-1)
  const headers = Object.fromEntries(Object.entries(got?.headers ?? {}).map(([name, value]) => [name, String(value)]))
  expect(new Webhook(secret).verify(got?.body ?? '', headers)).toMatchObject({ type: 'tenant.created' })
  await drawer.getByRole('button', { name: 'Close' }).click()
  await expect(row).toContainText('Delivered')

  await page.getByRole('button', { name: /^Send Test/ }).click()
  await expect(drawer.getByText('Delivered')).toBeVisible()
  await expect(drawer.getByRole('heading', { name: 'webhook.test' })).toBeVisible()
  await drawer.getByRole('button', { name: 'Close' }).click()

  await page.getByRole('button', { name: /^More actions for webhook Billing/ }).click()
  await page.getByRole('menuitem', { name: 'Replay Since' }).click()
  const replay = page.getByRole('dialog', { name: 'Replay Deliveries' })
  await replay.getByRole('checkbox').check()
  await expectAccessible(page)
  // The first delivery may have been tried again by itself before the receiver was mended.
  const sent = () => receiver.received.filter(({ body }) => body.includes('Webhook Bakery')).length
  const before = sent()
  await replay.getByRole('button', { name: 'Replay', exact: true }).click()
  await expect(page.getByText('1 event will be sent again.')).toBeVisible()
  await expect.poll(sent).toBe(before + 1)

  await page.getByRole('link', { name: 'Webhooks', exact: true }).click()
  const webhook = page.getByRole('row', { name: /Billing of the harbor/ })
  await chooseAction(webhook, 'Rotate Secret')
  await page.getByRole('dialog').getByRole('button', { name: 'Rotate Secret' }).click()
  const rotated = page.getByRole('dialog', { name: 'Secret Rotated' })
  expect(await rotated.locator('code').innerText()).not.toBe(secret)
  await rotated.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('button', { name: 'Close Anyway' }).click()
  await chooseAction(webhook, 'Switch Off')
  await expect(webhook).toContainText('Off')
  await chooseAction(webhook, 'Delete')
  await page
    .getByRole('alertdialog')
    .or(page.getByRole('dialog'))
    .getByRole('button', { name: 'Delete', exact: true })
    .click()
  await expect(page.getByText('No webhooks yet')).toBeVisible()
  await receiver.close()
})

test('a lost answer doubles no webhook and no rotation of its secret', async ({ signedIn: page, problems }) => {
  problems.expected.push(/ERR_CONNECTION_RESET/)
  await page.goto('/settings/webhooks')
  await page.getByRole('button', { name: 'New Webhook' }).click()
  const dialog = page.getByRole('dialog', { name: 'New Webhook' })
  await dialog.getByLabel('Address').fill('https://lost.example.com/events')
  await loseAnswer(page, '**/api/v1/admin/webhooks')
  await dialog.getByRole('button', { name: 'Create Webhook' }).click()
  await expect(dialog.getByText(/this call got no answer/)).toBeVisible()
  await dialog.getByRole('button', { name: 'Create Webhook' }).click()
  const created = page.getByRole('dialog', { name: 'Webhook Created' })
  const secret = await created.locator('code').innerText()
  await created.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('button', { name: 'Close Anyway' }).click()
  await expect(page.getByRole('link', { name: 'https://lost.example.com/events' })).toHaveCount(1)

  const row = page.getByRole('row', { name: /lost\.example\.com/ })
  await chooseAction(row, 'Rotate Secret', 'https://lost.example.com/events')
  const rotation = page.getByRole('dialog', { name: 'Rotate Secret' })
  await loseAnswer(page, '**/api/v1/admin/webhooks/*/secret')
  await rotation.getByRole('button', { name: 'Rotate Secret' }).click()
  await expect(rotation.getByText(/this call got no answer/)).toBeVisible()
  await rotation.getByRole('button', { name: 'Rotate Secret' }).click()
  await expect(page.getByRole('dialog', { name: 'Secret Rotated' }).locator('code')).not.toHaveText(secret)
  const rotations = await callApi(page, 'GET', 'audit?action=webhooks.rotate_secret')
  expect(rotations).toHaveLength(1)
})

test('a delivery that ends appears by itself', async ({ signedIn: page }) => {
  const receiver = await startReceiver()
  const body = { url: receiver.url, description: 'Moving deliveries', event_types: ['tenant.created'] }
  const id = idOf(await callApi(page, 'POST', 'webhooks', body))
  await makeTenant(page, 'Moving First')
  await page.goto('/settings/webhooks')
  await page.getByRole('link', { name: 'Moving deliveries' }).click()
  await expect(page.getByRole('row', { name: /Moving First/ })).toContainText('Delivered')
  const before = await shifted(page)
  await makeTenant(page, 'Moving Second')
  await expect.poll(() => receiver.received.length).toBe(2)
  await expect(page.getByRole('button', { name: '1 new event · Show' })).toBeVisible()
  expect(await shifted(page)).toBe(before)
  await page.getByRole('button', { name: '1 new event · Show' }).click()
  await expect(page.getByRole('row', { name: /Moving Second/ })).toContainText('Delivered')
  await callApi(page, 'DELETE', `webhooks/${id}`)
  await receiver.close()
})
