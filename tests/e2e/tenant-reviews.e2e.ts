import type { Page } from '@playwright/test'
import { listedReview } from '@switchboard/contract/reviews/review-list'
import * as z from 'zod/mini'
import { callApi, expect, expectAccessible, test } from './fixtures.ts'
import { runNow, samplePlaceId } from './task-records.ts'
import { idOf, makeTenant } from './tenant-keys.ts'
import { setFilter } from './tables.ts'

const reviews = (page: Page) => page.getByRole('list', { name: 'Reviews' }).getByRole('listitem')
const history = (page: Page) => page.getByRole('region', { name: 'Rating history' })

/** A tenant with the reviews of two places. Returns the id of the tenant. */
async function makeReviewed(page: Page, name: string): Promise<string> {
  const tenant_id = await makeTenant(page, name)
  for (const place of [`${name} North`, `${name} South`]) {
    const task = await callApi(page, 'POST', 'tasks/schedule', {
      tenant_id,
      schedule_name: 'pull_google_review',
      frequency: 'weekly',
      extra_data: { place_id: samplePlaceId(place), place_name: place },
    })
    await runNow(page, idOf(task))
  }
  return tenant_id
}

test('the reviews of all places of a tenant are searched, filtered, sorted and linked', async ({ signedIn: page }) => {
  const id = await makeReviewed(page, 'Reviewed Works')
  await page.goto(`/tenants/${id}`)
  await page.getByRole('link', { name: /^from [\d,]+ ratings of 2 places$/ }).click()
  await expect(page.getByRole('navigation', { name: 'Tenant' }).getByRole('link', { name: 'Reviews 10' })).toBeVisible()
  await expect(reviews(page)).toHaveCount(10)
  // The ratings of one day are a line without bars.
  await expect(history(page)).toContainText('out of 5 stars')
  await expect(history(page).getByRole('figure')).toHaveCount(0)
  await expect(
    reviews(page)
      .first()
      .getByRole('link', { name: /on Google Maps$/ }),
  ).toBeVisible()
  await expect(reviews(page).locator('img').first()).toBeVisible()
  await expect(page.getByText('unaltered, newest first')).toBeVisible()
  await expectAccessible(page)

  await page.getByLabel('Sort by').selectOption('Lowest rating')
  await expect(page).toHaveURL(`/tenants/${id}/reviews?sort=rating`)
  await expect(page.getByText('unaltered, lowest rating first')).toBeVisible()
  await setFilter(page, 'Place', 'Reviewed Works South')
  await expect(reviews(page)).toHaveCount(5)
  const task = new URL(page.url()).searchParams.get('task_id') ?? ''
  await expect(history(page).getByLabel('Place of the history')).toHaveValue(task)
  const author = (await reviews(page).first().getByRole('link').first().textContent()) ?? ''
  await page.getByLabel('Search text or author').fill(author)
  await expect(reviews(page).first()).toContainText(author)
  await page.getByLabel('Search text or author').fill('no-such-text')
  await expect(page.getByText('No reviews match.')).toBeVisible()
  await page.getByRole('button', { name: 'Clear Filters' }).click()
  await expect(reviews(page)).toHaveCount(10)
  await expect(page).toHaveURL(`/tenants/${id}/reviews?sort=rating`)
})

test('a new low rating leads from the tenant to its review, also on a phone', async ({ signedIn: page }) => {
  const id = await makeReviewed(page, 'Lowly Works')
  await showLowRating(page, id)
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`/tenants/${id}`)
  await expect(page.getByRole('region', { name: 'State' })).toContainText('1 new low rating in 7 days.')
  await page.getByRole('link', { name: 'Show Reviews' }).click()
  await expect(page).toHaveURL(`/tenants/${id}/reviews?attention=reviews_low`)
  await expect(page.getByRole('button', { name: /^Attention New low ratings .*: show all$/ })).toBeVisible()
  await expect(history(page)).toBeVisible()
  await expectAccessible(page)
})

/** Shows a new low rating of the first place: the samples have one only by chance. */
async function showLowRating(page: Page, tenant_id: string): Promise<void> {
  const listed = z.array(listedReview).parse(await callApi(page, 'GET', `reviews?tenant_id=${tenant_id}`))
  const review = listed.find(({ place_name }) => place_name === 'Lowly Works North')
  if (review === undefined) throw new Error('no review')
  await page.route('**/analytics/attention?*', async (route) => {
    const response = await route.fetch()
    const attention = await response.json()
    const low = { ...review, tenant_id, tenant_name: 'Lowly Works', rating: 1 }
    await route.fulfill({ response, json: { ...attention, reviews_low: { count: 1, is_more: false, first: [low] } } })
  })
}
