import { statSync } from 'node:fs'
import path from 'node:path'
import { createTask as taskCreation } from '@switchboard/contract/tasks'
import { login as signIn } from '@switchboard/contract/auth'
import { createTenant as tenantCreation } from '@switchboard/contract/tenants'
import { chromium, type Page } from '@playwright/test'
import { findChromium } from '#tests/e2e/chromium.ts'
import { EMAIL, PASSWORD, startServer } from '#tests/e2e/server.ts'
import { amount, type Figure } from '#scripts/bench/measure.ts'

const dist = path.resolve(import.meta.dirname, '../../../apps/console/dist')

/** Sizes in kB. Beyond them, a screen takes too long over a mobile network: docs/decisions/0054-groups-of-the-bundler.md. */
const LOGIN_MAX = 150
const SCREEN_MAX = 260
/** The console is served over HTTP/1.1, and a browser sends six requests at a time. */
const FILES_MAX = 60

/** The screens after a sign-in, each with a text that appears last. */
const SCREENS: [string, string][] = [
  ['/', 'Needs attention'],
  ['/tenants', 'New Tenant'],
  ['/tenants/create', 'Create Tenant'],
  ['/users', 'New User'],
  ['/users/create', 'Create User'],
  ['/keys', 'API Keys'],
  ['/tasks', 'New Task'],
  ['/tasks/create', 'New Task'],
  ['/tasks/runs', 'Runs'],
  ['/settings', 'Admin Settings'],
  ['/settings/team', '1 member'],
  ['/settings/activity', 'Signed in'],
  ['/settings/security', 'No second factor yet'],
  ['/settings/tokens', 'New token'],
  ['/settings/system', 'Accepts changes'],
  ['/advanced-settings', 'Base Templates'],
  ['/advanced-settings/compare?from=1', 'The texts are the same.'],
]

/** The tabs of a tenant, each with a text that appears last. */
const TENANT_TABS: [string, string][] = [
  ['', 'Aggressiveness'],
  ['/users', 'New User'],
  ['/keys', 'No API keys yet.'],
  ['/tasks', 'New Task'],
  ['/reviews', 'Rating history'],
  ['/prompt', 'You are the assistant'],
  ['/activity', 'Created the tenant'],
]

/** The scripts and styles that a browser loads for each screen: gzipped size, as served, and number of files. */
export async function benchBundle(): Promise<Figure[]> {
  const server = await startServer({ LOG_LEVEL: 'warn' })
  const { executablePath, env } = await findChromium()
  const browser = await chromium.launch({ executablePath, env: { ...process.env, ...env }, args: ['--no-sandbox'] })
  const figures: Figure[] = []
  try {
    const page = await browser.newPage({ baseURL: server.url })
    // A browser that saves data does not preload the code of the other screens.
    await page.addInitScript(() => Object.defineProperty(navigator, 'connection', { value: { saveData: true } }))
    const loaded = new Set<string>()
    page.on('request', (request) => loaded.add(new URL(request.url()).pathname))
    const measure = (screen: string, maximum: number) => {
      const files = [...loaded].filter((file) => /\.(js|css)$/.test(file))
      const kilobytes = files.reduce((sum, file) => sum + gzipped(file), 0)
      figures.push(amount(`JavaScript and CSS of ${screen}, gzipped`, kilobytes, 'kB', maximum))
      figures.push(amount(`Files of ${screen}`, files.length, '', FILES_MAX))
    }

    await page.goto('/login', { waitUntil: 'networkidle' })
    measure('/login', LOGIN_MAX)
    await page.getByLabel('Email').fill(EMAIL)
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('heading', { name: 'Admin Dashboard' }).waitFor()
    // Hovering a link preloads its screen.
    await page.mouse.move(0, 0)
    for (const [screen, text] of SCREENS) {
      loaded.clear()
      await page.goto(screen, { waitUntil: 'networkidle' })
      await page.getByText(text).filter({ visible: true }).first().waitFor()
      measure(screen, SCREEN_MAX)
    }
    const { task, tenant } = await makeTask(page)
    await page.goto(`/tasks/${task}`)
    await page.getByRole('button', { name: 'Run task now' }).click()
    await page.getByRole('list', { name: 'Reviews' }).waitFor()
    await page.mouse.move(0, 0)
    loaded.clear()
    await page.goto(page.url(), { waitUntil: 'networkidle' })
    await page.getByRole('list', { name: 'Reviews' }).waitFor()
    measure('/tasks/{id}', SCREEN_MAX)
    for (const [tab, text] of TENANT_TABS) {
      loaded.clear()
      await page.goto(`/tenants/${tenant}${tab}`, { waitUntil: 'networkidle' })
      await page.getByText(text).filter({ visible: true }).first().waitFor()
      measure(`/tenants/{id}${tab}`, SCREEN_MAX)
    }
    return figures
  } finally {
    await browser.close()
    await server.stop()
  }
}

/** Schedules a task for a new tenant; returns the ids of both. */
async function makeTask(page: Page): Promise<{ task: string; tenant: string }> {
  const post = async (url: string, data: object, token = '') => {
    const answer = await page.request.post(url, { data, headers: { authorization: `Bearer ${token}` } })
    return await answer.json()
  }
  const { access_token } = await post(signIn.url, { email: EMAIL, password: PASSWORD })
  const tenant = { name: 'Measured Works', subdomain: 'measured', tenant_type: 'service' }
  const { id: tenant_id } = await post(tenantCreation.url, tenant, access_token)
  const schedule = { schedule_name: 'pull_google_review', frequency: 'daily', extra_data: { place_id: 'ChIJmeasured' } }
  const { id } = await post(taskCreation.url, { tenant_id, ...schedule }, access_token)
  return { task: id, tenant: tenant_id }
}

function gzipped(file: string): number {
  const precompressed = path.join(dist, `${file}.gz`)
  const stat = statSync(precompressed, { throwIfNoEntry: false }) ?? statSync(path.join(dist, file))
  return stat.size / 1_000
}
