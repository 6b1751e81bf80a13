import type { Locator, Page } from '@playwright/test'
import { expect, expectAccessible, test } from './fixtures.ts'
import { makeTask } from './task-records.ts'

const reviews = (page: Page) => page.getByRole('list', { name: 'Reviews' }).getByRole('listitem')
const photosIn = (review: Locator) => review.locator('img')
const paintedWidths = (page: Page) =>
  photosIn(reviews(page)).evaluateAll((photos: HTMLImageElement[]) => photos.map(({ naturalWidth }) => naturalWidth))

/** Opens the page of a task whose reviews were just pulled. */
async function openPulled(page: Page, tenant: string) {
  await page.goto(`/tasks/${await makeTask(page, tenant)}`)
  await page.getByRole('button', { name: 'Run task now' }).click()
  await expect(page.getByRole('table', { name: 'Runs' }).getByText('Succeeded')).toBeVisible()
  await expect(reviews(page).first()).toBeVisible()
}

test('author photos load after the text, are painted, and cause no layout shift', async ({ onDashboard: page }) => {
  const held = Promise.withResolvers<void>()
  await page.route('**/reviews/photos', async (route) => {
    await held.promise
    await route.continue()
  })
  await openPulled(page, 'Pictured Works')
  await expect(photosIn(reviews(page))).toHaveCount(0)
  const before = await reviews(page).last().boundingBox()
  held.resolve()
  await expect(photosIn(reviews(page)).first()).toBeVisible()
  // The browser decodes an image after it has its place.
  await expect.poll(async () => (await paintedWidths(page)).every((width) => width > 0)).toBe(true)
  expect((await paintedWidths(page)).length).toBeGreaterThanOrEqual(3)
  expect(await reviews(page).last().boundingBox()).toEqual(before)
  await expectAccessible(page)
})

test('a missing photo leaves the first letter of the name, without a message', async ({
  onDashboard: page,
  problems,
}) => {
  problems.expected.push(/status of 404/)
  // An image by its first bytes that cannot be painted.
  await page.route('**/reviews/photos', async (route) => {
    const photos: { name: string }[] = await (await route.fetch()).json()
    const broken = photos.map(({ name }) => ({ name, data_uri: `data:image/png;base64,${btoa('\x89PNG\r\n\x1a\n')}` }))
    await route.fulfill({ json: broken })
  })
  await openPulled(page, 'Unpictured Works')
  const author = reviews(page).first().locator('[aria-hidden]').first()
  await expect(author).toHaveText(/^[A-J]$/)
  await expect(photosIn(reviews(page))).toHaveCount(0)

  await page.route('**/reviews/photos', (route) => route.fulfill({ status: 404, json: { detail: 'Task not found' } }))
  await page.reload()
  await expect(author).toHaveText(/^[A-J]$/)
  await expect(page.getByRole('alert')).toHaveCount(0)
})
