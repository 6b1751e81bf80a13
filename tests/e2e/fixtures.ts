import { AxeBuilder } from '@axe-core/playwright'
import { test as base, expect, type Page } from '@playwright/test'
import { EMAIL, PASSWORD, type Server, startServer } from './server.ts'

type Problems = { expected: RegExp[]; found: string[] }
type TestFixtures = {
  /** Console errors and policy violations of the page; every one that is not `expected` fails the test. */
  problems: Problems
  /** A page of an admin who has just signed in. */
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
      expect(problems.found.filter((text) => !problems.expected.some((one) => one.test(text)))).toEqual([])
    },
    { auto: true },
  ],
  signedIn: async ({ page }, use) => {
    await signIn(page)
    await use(page)
  },
})
/** As `test`, with servers that no other file uses: for stories whose rows would come first in the lists of others. */
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

/** Signs in by hand on /login, where the page is already, and is led to where it was going. */
export async function signInHere(page: Page): Promise<void> {
  await page.getByLabel('Email').fill(EMAIL)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  // Not by a click: the pointer would rest where a link of the next page appears, whose list is then fetched already.
  await page.keyboard.press('Enter')
}

/** Calls the API as the signed-in page would: to prepare what a story needs, or to act as a second admin. */
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

/** axe finds nothing, in the light theme nor in the dark one. There are no frames, so it needs no page of its own (legacy). */
export async function expectAccessible(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze()
    expect(
      violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`),
    ).toEqual([])
  }
}
