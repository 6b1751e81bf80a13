import type { Locator, Page } from '@playwright/test'
import { callApi, expect, test } from './fixtures.ts'
import { chooseAction, keyRows, makeTenant, secretOf } from './tenant-keys.ts'
import { filterChip } from './tables.ts'

test.beforeEach(async ({ page }) => {
  await page.emulateMedia({ forcedColors: 'active', reducedMotion: 'reduce' })
})

const style = (element: Locator, property: string) =>
  element.evaluate((node, name) => getComputedStyle(node).getPropertyValue(name), property)

test('the current entry, selected rows, active filters and the focused field are marked in forced colors', async ({
  signedIn: page,
}) => {
  for (const n of [1, 2]) await makeTenant(page, `Forced ${n}`)
  await page.goto('/tenants?q=forced&status=active')
  const entry = (name: string) => page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name })
  expect(await style(entry('Tenants'), 'border-top-color')).not.toBe(await style(entry('Users'), 'border-top-color'))

  await page.getByRole('checkbox', { name: 'Select Forced 1' }).check()
  expect(await style(page.getByRole('row', { name: 'Forced 1' }), 'outline-style')).toBe('solid')
  expect(await style(page.getByRole('row', { name: 'Forced 2' }), 'outline-style')).toBe('none')
  expect(await style(filterChip(page, 'Status Active').locator('span').first(), 'outline-style')).toBe('solid')

  await page.goto('/tenants/create')
  await expect(page.getByLabel('Tenant Name')).toBeFocused()
  expect(await style(page.getByLabel('Tenant Name'), 'outline-style')).toBe('solid')
  expect(await style(page.getByLabel('Subdomain'), 'outline-style')).toBe('none')
})

for (const colorScheme of ['light', 'dark'] as const)
  test(`fields and buttons have text of another color than their fill in forced colors, ${colorScheme}`, async ({
    signedIn: page,
  }) => {
    await page.emulateMedia({ colorScheme })
    await page.goto('/tenants/create')
    for (const element of [
      page.getByLabel('Tenant Name'),
      page.getByLabel('Business Type'),
      page.getByRole('button', { name: 'Create Tenant' }),
    ])
      expect(await style(element, 'background-color')).not.toBe(await style(element, 'color'))
  })

test('charts and sliders are visible in forced colors', async ({ signedIn: page }) => {
  await makeTenant(page, 'Forced Keys')
  await page.goto('/')
  const growth = page.getByRole('region', { name: 'Tenant Growth (6 months)' }).getByRole('listitem')
  const paper = async (month: Locator) => await pixelsOf(page, month, 'Canvas')
  expect((await paper(growth.first())) - (await paper(growth.last())), 'the bar of this month').toBeGreaterThan(3_000)
  for (const title of ['User Status Distribution', 'Tenant Status Distribution'])
    expect(await pixelsOf(page, page.getByRole('region', { name: title }), 'Highlight'), title).toBeGreaterThan(300)

  await page.goto('/tenants?q=forced-keys')
  await chooseAction(page, 'Edit', 'Forced Keys')
  expect(await pixelsOf(page, page.getByRole('slider'), 'CanvasText')).toBeGreaterThan(300)
})

test('refused calls are filled bars and accepted calls are outlined in forced colors', async ({
  signedIn: page,
  server,
}) => {
  const tenant = await makeTenant(page, 'Forced Calls')
  const bars = (key: string) => keyRows(page, key).locator('svg').first()
  for (const [name, origin] of [
    ['Accepted', 'https://shop.forced.example'],
    ['Refused', 'https://other.forced.example'],
  ] as const) {
    const allowed_origins = ['https://shop.forced.example']
    const key = await callApi(page, 'POST', 'api-keys', { tenant_id: tenant, name, allowed_origins })
    await page.request.post(`${server.aiUrl}/v1/keys/verify`, { data: { api_key: secretOf(key), origin } })
  }
  // Calls are written every few seconds.
  await expect(async () => {
    await page.goto(`/tenants/${tenant}/keys`)
    await expect(keyRows(page)).toHaveCount(2)
    await expect(keyRows(page, 'Refused')).toContainText('1 refused', { timeout: 1_500 })
    await expect(keyRows(page, 'Accepted')).toContainText('1 call', { timeout: 1_500 })
  }).toPass()
  const inks = async (key: string) => await pixelsOf(page, bars(key), 'CanvasText')
  expect(await inks('Refused')).toBeGreaterThan(2 * (await inks('Accepted')))
})

/** The number of pixels with a color of the system in a picture of an element. */
async function pixelsOf(page: Page, element: Locator, color: string): Promise<number> {
  const picture = await element.screenshot()
  return await page.evaluate(
    async ({ bytes, name }) => {
      const bitmap = await createImageBitmap(new Blob([new Uint8Array(bytes)]))
      const paper = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d')
      if (paper === null) throw new Error('There is no canvas.')
      paper.drawImage(bitmap, 0, 0)
      const { data } = paper.getImageData(0, 0, bitmap.width, bitmap.height)
      const probe = document.body.appendChild(document.createElement('i'))
      // A color of the system may be translucent.
      for (const each of ['Canvas', name]) {
        probe.style.color = each
        paper.fillStyle = getComputedStyle(probe).color
        paper.fillRect(0, 0, 1, 1)
      }
      probe.remove()
      const wanted = paper.getImageData(0, 0, 1, 1).data
      const isWanted = (at: number) => [0, 1, 2].every((n) => Math.abs((data[at + n] ?? 0) - (wanted[n] ?? 0)) <= 2)
      let found = 0
      for (let at = 0; at < data.length; at += 4) if (isWanted(at)) found += 1
      return found
    },
    { bytes: [...picture], name: color },
  )
}
