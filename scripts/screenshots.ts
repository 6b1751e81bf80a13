import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { chromium, type Page } from '@playwright/test'
import { apiKeyList } from '@switchboard/contract/api-keys/key-list'
import { tenantList } from '@switchboard/contract/tenants'
import { findChromium } from '#tests/e2e/chromium.ts'
import { fillSignInForm } from '#tests/e2e/sign-in-form.ts'
import { dataFolder, startProcess } from '#tests/server-process.ts'

// `npm run screenshots` takes the pictures of the documents from a new demo, light and dark, and writes the gallery of
// docs/product.md. Commit both.

const root = path.resolve(import.meta.dirname, '..')
const folder = path.join(root, 'docs/images')
const QUALITY = 82
const WIDTH = 1280
const HEIGHT = 820
const DETAILS = { tags: ['key-account', 'pilot'], custom_fields: { plan: 'Gold', region: 'North' } }
const IMPORTED = `Company;Subdomain;Type;Goal
Alder Street Dental;alder-street-dental;service;Book appointments.
Brimstone Books;brimstone-books;product;Recommend books.
Cobalt Cycles;cobalt;shop;Answer questions about repairs.
Delta Ferries;delta-ferries;service;Answer questions about departures.`

/** A picture, its alternative text, the address, and the steps before the picture. */
type Screen = {
  name: string
  alt: string
  path: string | ((page: Page) => Promise<string>)
  height?: number
  prepare?: (page: Page) => Promise<void>
}
/** At the top of the README, outside the gallery. */
const FIRST: Screen = { name: 'dashboard', alt: '', path: '/', height: 1120 }
const GALLERY: Screen[] = [
  {
    name: 'tenants',
    alt: 'Tenants',
    path: '/tenants?sort=name',
  },
  {
    name: 'tenant',
    alt: 'The page of a tenant: calls of its keys, activity, facts and notes',
    path: async (page) => {
      const id = await busiestTenant(page)
      await page.request.put(`${tenantList.list.url}/${id}`, { ...(await signed(page)), data: DETAILS })
      return `/tenants/${id}`
    },
  },
  {
    name: 'keys',
    alt: 'API keys with refused calls: state, origins, calls of seven days',
    path: '/keys?attention=keys_refused',
  },
  {
    name: 'key',
    alt: 'A key: the reason of its refused calls, and its refused origins',
    path: '/keys?attention=keys_refused&sort=-refused',
    prepare: async (page) => {
      await page.getByRole('table', { name: 'API Keys' }).getByRole('link').first().click()
      await page.getByRole('heading', { name: 'Calls' }).waitFor()
    },
  },
  { name: 'runs', alt: 'The runs of all tasks', path: '/tasks/runs' },
  {
    name: 'import',
    alt: 'The dry run of an import of tenants',
    path: '/tenants/import',
    prepare: async (page) => {
      const file = { name: 'tenants.csv', mimeType: 'text/csv', buffer: Buffer.from(IMPORTED) }
      await page.getByLabel('CSV file').setInputFiles(file)
      await page.getByLabel('Tenant Name').selectOption('Company')
      await page.getByRole('button', { name: /^Check \d/ }).click()
      await page.getByRole('button', { name: /^Import \d/ }).waitFor()
      await page.getByRole('heading', { name: 'Columns' }).evaluate((title) => title.scrollIntoView())
    },
  },
  { name: 'team', alt: 'The people who run the console, and their roles', path: '/settings/team' },
  { name: 'activity', alt: 'The activity log', path: '/settings/activity' },
]

const dataDir = dataFolder()
const demo = startProcess({ DATA_DIR: dataDir, SUPER_ADMIN_EMAIL: '', SUPER_ADMIN_PASSWORD: '' }, 'scripts/demo.ts')
try {
  const address = await demo.ready()
  const { executablePath, env } = await findChromium()
  const browser = await chromium.launch({ executablePath, env: { ...process.env, ...env }, args: ['--no-sandbox'] })
  const page = await browser.newPage({
    baseURL: address,
    deviceScaleFactor: 2,
    locale: 'en-US',
    timezoneId: 'UTC',
    reducedMotion: 'reduce',
  })
  // With an open stream of changes, the network would never be idle.
  await page.route('**/events/stream*', (route) => route.abort())
  await signIn(page)
  mkdirSync(folder, { recursive: true })
  for (const screen of [FIRST, ...GALLERY]) await take(page, screen)
  await browser.close()
} finally {
  demo.child.kill('SIGTERM')
  await demo.ended
  rmSync(dataDir, { recursive: true, force: true })
}
writeGallery()

async function signIn(page: Page): Promise<void> {
  const [, email = ''] = /Sign in as +([^\s"]+)/.exec(demo.output()) ?? []
  const [, password = ''] = /Password +([^\s"]+)/.exec(demo.output()) ?? []
  await page.goto('/login')
  await fillSignInForm(page, email, password)
  await page.getByRole('heading', { name: 'Admin Dashboard' }).waitFor()
}

/** The tenant of the key with the most calls. */
async function busiestTenant(page: Page): Promise<string> {
  const { url, schema } = apiKeyList.list
  const answer = await page.request.get(`${url}?sort=-calls&limit=1`, await signed(page))
  const [key] = schema.response[200].parse(await answer.json())
  if (key === undefined) throw new Error('The demo has no API key.')
  return key.tenant_id
}

async function signed(page: Page): Promise<{ headers: { authorization: string } }> {
  const token = await page.evaluate<string>(`localStorage.getItem('admin_token')`)
  return { headers: { authorization: `Bearer ${token}` } }
}

async function take(page: Page, { name, path: address, height = HEIGHT, prepare }: Screen): Promise<void> {
  await page.setViewportSize({ width: WIDTH, height })
  await page.goto(typeof address === 'string' ? address : await address(page))
  await page.waitForLoadState('networkidle')
  await prepare?.(page)
  await page.waitForLoadState('networkidle')
  // Hide hover states.
  await page.mouse.move(0, 0)
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    const file = path.join(folder, `${name}-${colorScheme}.webp`)
    await page.screenshot({ path: file, type: 'webp', quality: QUALITY })
    console.log(path.relative(process.cwd(), file))
  }
}

/** Writes the gallery between its two comments in docs/product.md. */
function writeGallery(): void {
  const file = path.join(root, 'docs/product.md')
  const pictures = GALLERY.map(
    ({ name, alt }) => `<picture>
  <source media="(prefers-color-scheme: dark)" srcset="images/${name}-dark.webp">
  <img alt="${alt}" src="images/${name}-light.webp" width="49%">
</picture>`,
  )
  const gallery = `<!-- gallery -->\n${pictures.join('\n')}\n<!-- end of the gallery -->`
  const before = readFileSync(file, 'utf8')
  writeFileSync(
    file,
    before.replace(/<!-- gallery -->.*<!-- end of the gallery -->/s, () => gallery),
  )
}
