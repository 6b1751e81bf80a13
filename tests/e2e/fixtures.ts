import { AxeBuilder } from '@axe-core/playwright'
import { test as base, expect, type Page } from '@playwright/test'
import { EMAIL, PASSWORD, type Server, startServer } from './server.ts'

type Problems = { expected: RegExp[]; found: string[] }
type TestFixtures = {
  /** Console errors and policy violations of the page; every one outside `expected` fails the test. */
  problems: Problems
  /** A page with a new session of the super admin. */
  signedIn: Page
}

/**
 * The browser's test: real servers over a data folder of their own for each worker, and no console error, page error
 * or policy violation in any test.
 */
export const test = base.extend<TestFixtures, { server: Server }>({
  server: [serverOfWorker, { scope: 'worker' }],
  baseURL: async ({ server }, use) => {
    await use(server.url)
  },
  problems: [
    async ({ context }, use) => {
      const problems: Problems = { expected: [], found: [] }
      await context.addInitScript(() => {
        document.addEventListener('securitypolicyviolation', (event) => {
          console.error(`policy violation: ${event.violatedDirective} ${event.blockedURI}`)
        })
      })
      context.on('console', (message) => {
        if (message.type() === 'error') problems.found.push(`${message.text()} (${message.location().url})`)
      })
      context.on('weberror', (error) => problems.found.push(String(error.error())))
      await use(problems)
      expect(problems.found.filter((text) => !problems.expected.some((pattern) => pattern.test(text)))).toEqual([])
    },
    { auto: true },
  ],
  signedIn: async ({ page }, use) => {
    await signIn(page)
    await use(page)
  },
})
/**
 * As `test`, with servers for this file only: for stories whose rows would come first in the lists of other stories.
 */
export const testAlone = test.extend<object, { server: Server }>({ server: [serverOfWorker, { scope: 'worker' }] })
export { expect }

async function serverOfWorker({}, use: (server: Server) => Promise<void>): Promise<void> {
  const server = await startServer()
  await use(server)
  await server.stop()
}

/** Signs in by hand, as a person does, and waits for the first screen. */
export async function signIn(page: Page): Promise<void> {
  await page.goto('/login')
  await signInHere(page)
  await expect(page.getByRole('heading', { name: 'Admin Dashboard' })).toBeVisible()
}

/** Signs in on /login, which is open already, and waits for the redirect. */
export async function signInHere(page: Page): Promise<void> {
  await page.getByLabel('Email').fill(EMAIL)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  // Not by a click: the pointer would rest on a link of the next page, which prefetches its list.
  await page.keyboard.press('Enter')
}

/** Calls the API with the token of the page: to prepare a story, or to act as a second admin. */
export async function callApi(page: Page, method: string, path: string, body?: unknown): Promise<unknown> {
  const token = await page.evaluate(() => localStorage.getItem('admin_token'))
  const answer = await page.request.fetch(`/api/v1/admin/${path}`, {
    method,
    headers: { authorization: `Bearer ${token}` },
    ...(body === undefined ? {} : { data: body }),
  })
  expect(answer.ok(), await answer.text()).toBe(true)
  return answer.status() === 204 ? null : await answer.json()
}

/** The page does not scroll horizontally. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  )
  expect(overflow).toBeLessThanOrEqual(0)
}

/** axe finds no problem in the light and in the dark theme. The pages have no frames, so the legacy mode is enough. */
export async function expectAccessible(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze()
    expect(
      violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`),
    ).toEqual([])
  }
}
