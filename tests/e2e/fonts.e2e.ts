import type { Response } from '@playwright/test'
import { expect, test } from './fixtures.ts'

test('the console brings its fonts, and a page loads only the letters that it shows', async ({ page }) => {
  const fonts: Response[] = []
  page.on('response', (response) => response.url().endsWith('.woff2') && fonts.push(response))
  await page.goto('/login')
  const loaded = () =>
    page.evaluate(() => [...document.fonts].filter(({ status }) => status === 'loaded').map(({ family }) => family))
  await expect.poll(loaded).toEqual(['Inter Variable'])

  // The browser reports an answer after the page has it.
  await expect.poll(() => fonts).toHaveLength(1)
  expect(fonts[0]?.headers()).toMatchObject({
    'content-type': 'font/woff2',
    'cache-control': 'public, max-age=31536000, immutable',
  })
  const preload = page.locator('link[rel=preload][as=font]')
  await expect(preload).toHaveAttribute('href', new URL(fonts[0]?.url() ?? '').pathname)
  for (const font of ['inter', 'jetbrains-mono']) {
    const license = await page.request.get(`/licenses/${font}.txt`)
    expect(await license.text()).toContain('SIL OPEN FONT LICENSE')
  }
})
