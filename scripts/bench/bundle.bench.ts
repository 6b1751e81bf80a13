import { statSync } from 'node:fs'
import path from 'node:path'
import { createTask as taskCreation } from '@switchboard/contract/tasks'
import { login as signIn } from '@switchboard/contract/auth'
import { createTenant as tenantCreation } from '@switchboard/contract/tenants'
import { chromium, type Page } from '@playwright/test'
import { findChromium } from '#tests/e2e/chromium.ts'
import { EMAIL, PASSWORD, startServer } from '#tests/e2e/server.ts'
import { amount, type Figure } from './measure.ts'

const dist = path.resolve(import.meta.dirname, '../../apps/console/dist')

/** Gzipped script and style of each screen: the requests of a real browser, with the sizes of the served files. */
export async function benchBundle(): Promise<Figure[]> {
  const server = await startServer({ LOG_LEVEL: 'warn' })
  const { executablePath, env } = await findChromium()
  const browser = await chromium.launch({ executablePath, env: { ...process.env, ...env }, args: ['--no-sandbox'] })
  try {
    const page = await browser.newPage({ baseURL: server.url })
    // With data saving, the browser does not load the code of other screens while idle.
    await page.addInitScript(() => Object.defineProperty(navigator, 'connection', { value: { saveData: true } }))
    const loaded = new Set<string>()
    page.on('request', (request) => loaded.add(new URL(request.url()).pathname))
    const kilobytes = () =>
      [...loaded].filter((file) => /\.(js|css)$/.test(file)).reduce((sum, file) => sum + gzipped(file), 0)

    await page.goto('/login', { waitUntil: 'networkidle' })
    const login = kilobytes()
    await page.getByLabel('Email').fill(EMAIL)
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'Admin Dashboard' }).waitFor()
    // A hovered link would load more code.
    await page.mouse.move(0, 0)
    // A new visit with a valid session.
    loaded.clear()
    await page.goto('/', { waitUntil: 'networkidle' })
    const dashboard = kilobytes()
    loaded.clear()
    await page.goto('/tenants', { waitUntil: 'networkidle' })
    const tenants = kilobytes()
    loaded.clear()
    await page.goto('/tenants/create', { waitUntil: 'networkidle' })
    const createTenant = kilobytes()
    loaded.clear()
    await page.goto('/users', { waitUntil: 'networkidle' })
    const users = kilobytes()
    loaded.clear()
    await page.goto('/users/create', { waitUntil: 'networkidle' })
    const createUser = kilobytes()
    loaded.clear()
    await page.goto('/keys', { waitUntil: 'networkidle' })
    await page.getByRole('heading', { name: 'API Keys' }).waitFor()
    const keys = kilobytes()
    loaded.clear()
    await page.goto('/tasks', { waitUntil: 'networkidle' })
    const tasks = kilobytes()
    loaded.clear()
    await page.goto('/tasks/create', { waitUntil: 'networkidle' })
    const createTask = kilobytes()
    // A task with a run, reviews and photos.
    await page.goto(`/tasks/${await makeTask(page)}`)
    await page.getByRole('button', { name: 'Run task now' }).click()
    await page.getByRole('list', { name: 'Reviews' }).waitFor()
    await page.mouse.move(0, 0)
    loaded.clear()
    await page.goto(page.url(), { waitUntil: 'networkidle' })
    await page.getByRole('list', { name: 'Reviews' }).waitFor()
    const task = kilobytes()
    loaded.clear()
    await page.goto('/settings', { waitUntil: 'networkidle' })
    const settings = kilobytes()
    loaded.clear()
    await page.goto('/settings/activity', { waitUntil: 'networkidle' })
    await page.getByRole('link', { name: 'Signed in' }).first().waitFor()
    const activity = kilobytes()
    loaded.clear()
    await page.goto('/advanced-settings', { waitUntil: 'networkidle' })
    await page.getByLabel('Template', { exact: true }).waitFor()
    const prompts = kilobytes()
    loaded.clear()
    await page.goto('/advanced-settings/compare?from=1', { waitUntil: 'networkidle' })
    await page.getByText('The texts are the same.').waitFor()
    return [
      amount('JavaScript and CSS of /login, gzipped', login, 'kB', 135),
      amount('JavaScript and CSS of /, gzipped', dashboard, 'kB', 180),
      amount('JavaScript and CSS of /tenants, gzipped', tenants, 'kB', 200),
      amount('JavaScript and CSS of /tenants/create, gzipped', createTenant, 'kB', 200),
      amount('JavaScript and CSS of /users, gzipped', users, 'kB', 200),
      amount('JavaScript and CSS of /users/create, gzipped', createUser, 'kB', 200),
      amount('JavaScript and CSS of /keys, gzipped', keys, 'kB', 200),
      amount('JavaScript and CSS of /tasks, gzipped', tasks, 'kB', 200),
      amount('JavaScript and CSS of /tasks/create, gzipped', createTask, 'kB', 200),
      amount('JavaScript and CSS of /tasks/{id}, gzipped', task, 'kB', 200),
      amount('JavaScript and CSS of /settings, gzipped', settings, 'kB', 200),
      amount('JavaScript and CSS of /settings/activity, gzipped', activity, 'kB', 200),
      amount('JavaScript and CSS of /advanced-settings, gzipped', prompts, 'kB', 200),
      amount('JavaScript and CSS of /advanced-settings/compare, gzipped', kilobytes(), 'kB', 200),
    ]
  } finally {
    await browser.close()
    await server.stop()
  }
}

/** Schedules a task for a tenant of its own; returns its id. */
async function makeTask(page: Page): Promise<string> {
  const post = async (url: string, data: object, token = '') => {
    const answer = await page.request.post(url, { data, headers: { authorization: `Bearer ${token}` } })
    return await answer.json()
  }
  const { access_token } = await post(signIn.url, { email: EMAIL, password: PASSWORD })
  const tenant = { name: 'Measured Works', subdomain: 'measured', tenant_type: 'service' }
  const { id: tenant_id } = await post(tenantCreation.url, tenant, access_token)
  const schedule = { schedule_name: 'pull_google_review', frequency: 'daily', extra_data: { place_id: 'ChIJmeasured' } }
  const { id } = await post(taskCreation.url, { tenant_id, ...schedule }, access_token)
  return id
}

function gzipped(file: string): number {
  const precompressed = path.join(dist, `${file}.gz`)
  const stat = statSync(precompressed, { throwIfNoEntry: false }) ?? statSync(path.join(dist, file))
  return stat.size / 1_000
}
