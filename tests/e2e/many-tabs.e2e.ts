import { expect, openSession, test, untilLoaded } from './fixtures.ts'

/** More than the connections that a browser opens to a server over HTTP/1.1. */
const TABS = 8

test('tabs without a stream work as those with one', async ({ page: first, problems }) => {
  // Tabs above the limit of streams.
  problems.expected.push(/429/)
  await openSession(first)
  const tabs = [first]
  while (tabs.length < TABS) tabs.push(await first.context().newPage())
  for (const tab of tabs) await tab.goto('/tenants')
  for (const tab of tabs) await untilLoaded(tab)
  for (const tab of tabs) {
    await tab.getByRole('link', { name: 'Users', exact: true }).click()
    await expect(tab.getByRole('heading', { name: 'Users', level: 1 })).toBeVisible()
    await untilLoaded(tab)
  }
})
