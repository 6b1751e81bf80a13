import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { test as base, expect, type BrowserContext, type Page } from '@playwright/test'
import { login } from '@switchboard/contract/auth'
import type axe from 'axe-core'
import { EMAIL, PASSWORD, type Server, startServer } from './server.ts'
import { fillSignInForm } from './sign-in-form.ts'

/**
 * The browser's line for a refusal that the server gives when no connection to the database was free for two seconds, as on a
 * busy machine. The console repeats the call, or shows the refusal.
 */
const BUSY = /status of 503/

type Problems = { expected: RegExp[]; found: string[] }
type TestFixtures = {
  /**
   * Whether the browser saves data: no page then preloads the code of all other screens, which would take a fifth of
   * the time of the stories.
   */
  savesData: boolean
  /** Console errors and policy violations of the page; every one outside `expected` fails the test. */
  problems: Problems
  /** A page with a new session of the super admin, before the first screen. */
  signedIn: Page
  /** A page with a new session of the super admin, on the dashboard. */
  onDashboard: Page
}

/**
 * The browser's test: real servers with a separate data folder for each worker, and no console error, page error or
 * policy violation in any test.
 */
export const test = base.extend<TestFixtures, { server: Server }>({
  server: [serverOfWorker, { scope: 'worker' }],
  baseURL: async ({ server }, use) => {
    await use(server.url)
  },
  savesData: [true, { option: true }],
  problems: [
    async ({ context, savesData }, use) => {
      const problems: Problems = { expected: [BUSY], found: [] }
      if (savesData) await saveData(context)
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
      // A route that still fetches would fail when the page closes, and with it the next story.
      for (const page of context.pages()) await page.unrouteAll({ behavior: 'ignoreErrors' })
      expect(problems.found.filter((text) => !problems.expected.some((pattern) => pattern.test(text)))).toEqual([])
    },
    { auto: true },
  ],
  signedIn: async ({ page }, use) => {
    await openSession(page)
    await use(page)
  },
  onDashboard: async ({ page }, use) => {
    await openSession(page)
    await openDashboard(page)
    await use(page)
  },
})
/**
 * Like `test`, but with servers for the stories of one file, whose rows would come first in the lists of other stories.
 */
export function testAlone() {
  // A separate function, because Playwright runs files with the same fixtures on the same worker.
  const server: typeof serverOfWorker = async ({}, use) => await serverOfWorker({}, use)
  return test.extend<object, { server: Server }>({ server: [server, { scope: 'worker' }] })
}
export { expect }

/** The pages see a browser that saves data. */
export async function saveData(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => Object.defineProperty(navigator, 'connection', { value: { saveData: true } }))
}

async function serverOfWorker({}, use: (server: Server) => Promise<void>): Promise<void> {
  const server = await startServer()
  await use(server)
  await server.stop()
}

/** A file of the console's origin without scripts. */
const NO_SCRIPTS = '/favicon.svg'

/** Stores a new session, as the console does after a sign-in. The first screen opens with the next `goto`. */
export async function openSession(page: Page, email = EMAIL): Promise<void> {
  const answer = await page.request.post(login.url, { data: { email, password: PASSWORD } })
  const { access_token } = login.schema.response[200].parse(await answer.json())
  await page.goto(NO_SCRIPTS)
  await page.evaluate((token) => localStorage.setItem('admin_token', token), access_token)
}

export async function openDashboard(page: Page): Promise<void> {
  await page.goto('/')
  await expect(page.getByRole('heading', { name: 'Admin Dashboard' })).toBeVisible()
}

/** Signs in by hand, as a person does, and waits for the first screen. */
export async function signIn(page: Page): Promise<void> {
  await page.goto('/login')
  await signInHere(page)
  await expect(page.getByRole('heading', { name: 'Admin Dashboard' })).toBeVisible()
}

/** Signs in on /login, which is open already, and waits for the redirect. */
export async function signInHere(page: Page): Promise<void> {
  await fillSignInForm(page, EMAIL, PASSWORD)
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

/** Waits until every part of the page has its data. */
export async function untilLoaded(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.locator('[aria-busy="true"]').or(page.getByText(/^Loading/))).toHaveCount(0)
}

/** The page does not scroll horizontally, at its width and at `narrower` widths. */
export async function expectNoSidewaysScroll(page: Page, ...narrower: number[]): Promise<void> {
  const { width, height } = page.viewportSize() ?? { width: 1440, height: 900 }
  for (const each of [width, ...narrower]) {
    if (narrower.length > 0) await page.setViewportSize({ width: each, height })
    await nextFrame(page)
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    )
    expect(overflow, `at ${each} pixels`).toBeLessThanOrEqual(0)
  }
  if (narrower.length > 0) await page.setViewportSize({ width, height })
}

/** A component with a media query renders in the next frame. */
async function nextFrame(page: Page): Promise<void> {
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
}

/** Minified: a page takes longer to read the full script than to run the rules. */
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** The rules of axe that read colors. The other rules find the same in both themes. */
const COLOR_RULES = ['color-contrast', 'link-in-text-block']

/** axe finds no problem in the light and in the dark theme. */
export async function expectAccessible(page: Page): Promise<void> {
  const light = await axeFindings(page, 'light')
  const dark = await axeFindings(page, 'dark', { runOnly: COLOR_RULES })
  expect([...light, ...dark]).toEqual([])
}

/** Problems that axe finds in a theme, each with its rule and elements. The pages have no frames. */
export async function axeFindings(
  page: Page,
  colorScheme: 'light' | 'dark',
  options: axe.RunOptions = {},
): Promise<string[]> {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
  // The browser reports the change after a moment on a busy machine.
  await expect(page.locator('html')).toHaveCSS('color-scheme', colorScheme)
  await nextFrame(page)
  if (await page.evaluate(() => !('axe' in window))) await page.evaluate(AXE)
  // Off by default, although WCAG 2.2 asks for it.
  const rules = { 'target-size': { enabled: true } }
  const run = `axe.run(${JSON.stringify({ rules, ...options, resultTypes: ['violations'] })})`
  const violations = await page.evaluate<axe.Result[]>(`${run}.then((results) => results.violations)`)
  return violations.map(({ id, nodes }) => `${colorScheme} ${id}: ${nodes.map(({ target }) => target).join(', ')}`)
}

/** Refuses the stream of changes, for a story about a screen that does not follow them. The browser reports a 403. */
export async function refuseStream(page: Page): Promise<void> {
  await page.route('**/events/stream*', (route) => route.fulfill({ status: 403, json: { detail: 'Not followed.' } }))
}

/** Ends the session of a page. */
export async function endSession(page: Page): Promise<void> {
  await callApi(page, 'POST', 'auth/logout')
}

/** Ends the session of a page under its next call of a URL: before it, a call in the background could meet the end. */
export async function endSessionUnder(page: Page, url: Parameters<Page['route']>[0]): Promise<void> {
  await page.route(
    url,
    async (route) => {
      await endSession(page)
      await route.continue()
    },
    { times: 1 },
  )
}
