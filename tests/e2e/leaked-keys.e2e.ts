import { generateKeyPairSync, sign } from 'node:crypto'
import { createServer } from 'node:http'
import { callApi, expect, expectAccessible, expectNoSidewaysScroll, test as base } from './fixtures.ts'
import { type Server, startServer } from './server.ts'
import { idOf, makeTenant, secretOf } from './tenant-keys.ts'

// A secret scanning service with a real key pair, and servers that deactivate the keys that it reports.

const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
const signatureOf = (body: string) => sign('sha256', Buffer.from(body), privateKey).toString('base64')

const test = base.extend<object, { server: Server }>({
  server: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of fixtures from this pattern
    async ({}, use) => {
      const key = publicKey.export({ type: 'spki', format: 'pem' })
      const scanner = createServer((_, response) =>
        response.end(JSON.stringify({ public_keys: [{ key_identifier: 'one', key, is_current: true }] })),
      )
      await new Promise<void>((resolve) => {
        scanner.listen(0, '127.0.0.1', resolve)
      })
      const address = scanner.address()
      const port = typeof address === 'object' && address !== null ? address.port : 0
      const server = await startServer({
        KEY_REPORTS_URL: `http://127.0.0.1:${port}/keys`,
        KEY_REPORT_ACTION: 'deactivate',
      })
      await use(server)
      await server.stop()
      scanner.close()
    },
    { scope: 'worker' },
  ],
})

test('a reported key is refused, says where it was found, and needs attention', async ({ signedIn: page, server }) => {
  const tenant = await makeTenant(page, 'Leaky Works')
  const key = await callApi(page, 'POST', 'api-keys', { tenant_id: tenant, name: 'Kiosk', allowed_origins: [] })
  const url = 'https://github.com/octocat/Hello-World/blob/main/config.ts'
  const body = JSON.stringify([{ token: secretOf(key), type: 'switchboard_api_key', url, source: 'content' }])
  const answer = await page.request.post(`${server.aiUrl}/v1/keys/reported`, {
    data: Buffer.from(body),
    headers: {
      'content-type': 'application/json',
      'github-public-key-identifier': 'one',
      'github-public-key-signature': signatureOf(body),
    },
  })
  expect([answer.status(), await answer.json()]).toMatchObject([200, [{ label: 'true_positive' }]])

  await page.goto('/')
  const panel = page.getByRole('region', { name: 'Needs attention' })
  await expect(panel.getByRole('button', { name: '1 leaked key' })).toHaveAttribute('aria-pressed', 'true')
  await expect(panel).toContainText('Reported as leaked')
  await panel.getByRole('link', { name: /Kiosk/ }).first().click()
  const drawer = page.getByRole('dialog', { name: 'Kiosk' })
  await expect(drawer).toContainText('A secret scanning service found this secret in public on')
  await expect(drawer.getByRole('link', { name: url })).toHaveAttribute('href', url)
  await expect(drawer).toContainText(/Refused since .+: the key was reported as leaked\./)
  await expect(drawer).toContainText('Secret scanning')
  await expectAccessible(page)
  await expectNoSidewaysScroll(page, 390, 320)

  await page.goto(`/tenants/${tenant}`)
  await expect(page.getByText('The key Kiosk was reported as leaked')).toBeVisible()
  await page.goto('/keys?attention=keys_reported')
  await expect(page.getByRole('table')).toContainText('Reported as leaked')
  await callApi(page, 'DELETE', `api-keys/${idOf(key)}`)
  await page.goto('/')
  await expect(page.getByRole('button', { name: '1 leaked key' })).toHaveCount(0)
})
