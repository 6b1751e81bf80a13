import type { Page } from '@playwright/test'

/** Holds the answers to a URL, after the server has made the changes, until the returned function is called. */
export async function holdAnswers(page: Page, url: string): Promise<() => void> {
  const released = Promise.withResolvers<void>()
  let isReleased = false
  await page.route(url, async (route) => {
    // A fetch by the test would fail when the test ends before its answer.
    if (isReleased) return await route.fallback()
    const response = await route.fetch()
    await released.promise
    await route.fulfill({ response })
  })
  return () => {
    isReleased = true
    released.resolve()
  }
}

/** Loses the answer to the next call of a URL, after the server has made the change. */
export async function loseAnswer(page: Page, url: string): Promise<void> {
  await page.route(
    url,
    async (route) => {
      await route.fetch()
      await route.abort('connectionreset')
    },
    { times: 1 },
  )
}
