import { expect, testAlone } from './fixtures.ts'
import { person } from './person.ts'

const test = testAlone()

test('a newcomer comes to the first accepted call in five clicks, with the shown command', async ({
  onDashboard: page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const { click, type, clicks } = person(page)
  await click(page.getByRole('link', { name: 'Create Tenant' }))
  await type(page.getByLabel('Tenant Name'), 'Harbor Dental')
  await click(page.getByRole('button', { name: 'Create Tenant' }))
  await click(page.getByRole('region', { name: 'Next steps' }).getByRole('link', { name: 'Generate Key' }))
  await click(page.getByRole('dialog').getByRole('button', { name: 'Generate Key' }))
  await click(page.getByRole('dialog', { name: 'API Key Generated' }).getByRole('button', { name: 'Copy Command' }))
  expect(clicks()).toBe(5)

  const copied = () => page.evaluate(() => navigator.clipboard.readText())
  await expect.poll(copied).toMatch(/^curl /)
  const command = await copied()
  const [, url = ''] = /^curl -i (\S+)/.exec(command) ?? []
  const headers = Object.fromEntries(
    [...command.matchAll(/-H '([^:]+): ([^']+)'/g)].map(([, name, value]) => [name, value]),
  )
  expect(Object.keys(headers)).toEqual(['Origin', 'X-Api-Key'])
  expect((await page.request.get(url, { headers })).status()).toBe(204)

  // The command has the key, so nothing asks for another copy.
  await page.getByRole('button', { name: 'Done' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
})
