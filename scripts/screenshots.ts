import { mkdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { chromium, type Page } from '@playwright/test'
import { findChromium } from '#tests/e2e/chromium.ts'
import { dataFolder, startProcess } from '#tests/server-process.ts'

// `npm run screenshots` takes the pictures of the README from a new demo, light and dark. Commit changed pictures.

const folder = path.resolve(import.meta.dirname, '../docs/images')
const QUALITY = 82
const WIDTH = 1280
const HEIGHT = 820
/** Screens by the name of their picture. */
const SCREENS = [
  { name: 'dashboard', path: '/', height: 1120 },
  { name: 'keys', path: '/keys?attention=keys_refused', height: HEIGHT },
  { name: 'activity', path: '/settings/activity', height: HEIGHT },
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
  await signIn(page)
  mkdirSync(folder, { recursive: true })
  for (const screen of SCREENS) await take(page, screen)
  await browser.close()
} finally {
  demo.child.kill('SIGTERM')
  await demo.ended
  rmSync(dataDir, { recursive: true, force: true })
}

async function signIn(page: Page): Promise<void> {
  const [, email = '', password = ''] = /Sign in as +(\S+)\n +Password +(\S+)/.exec(demo.output()) ?? []
  await page.goto('/login')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'Admin Dashboard' }).waitFor()
}

async function take(page: Page, { name, path: address, height }: (typeof SCREENS)[number]): Promise<void> {
  await page.setViewportSize({ width: WIDTH, height })
  await page.goto(address)
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
