import { statSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { chromium, type Page } from '@playwright/test'
import { findChromium } from '#tests/e2e/chromium.ts'
import { EMAIL, PASSWORD, startServer } from '#tests/e2e/server.ts'
import { fillSignInForm } from '#tests/e2e/sign-in-form.ts'
import { type CallApi, makeScreenRecords } from '#tests/screen-records.ts'
import { SCREENS } from '#tests/screens.ts'
import { amount, type Figure } from '#scripts/bench/measure.ts'

const dist = path.resolve(import.meta.dirname, '../../../apps/console/dist')

/** Sizes in kB. Beyond them, a screen takes too long over a mobile network: docs/decisions/0054-groups-of-the-bundler.md. */
const LOGIN_MAX = 150
const SCREEN_MAX = 260
/** The Latin letters of both fonts. */
const FONTS_MAX = 100
/** The console is served over HTTP/1.1, and a browser sends six requests at a time. */
const FILES_MAX = 60
/** A page that asks for nothing new in this time has all. */
const QUIET_MS = 1_000

/**
 * The scripts and styles that a browser loads for each screen: gzipped size, as served, and number of files. Fonts are
 * measured separately: text is readable before they arrive, and all screens share them.
 */
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
    // With an open stream of changes, the network is never idle.
    const untilAllLoaded = async () => {
      for (let before = 0; loaded.size > before; await sleep(QUIET_MS)) before = loaded.size
    }
    const measure = (screen: string, maximum: number) => {
      const files = [...loaded].filter((file) => /\.(js|css)$/.test(file))
      const kilobytes = files.reduce((sum, file) => sum + gzipped(file), 0)
      figures.push(amount(`JavaScript and CSS of ${screen}, gzipped`, kilobytes, 'kB', maximum))
      figures.push(amount(`Files of ${screen}`, files.length, '', FILES_MAX))
      const fonts = [...loaded].filter((file) => file.endsWith('.woff2'))
      figures.push(
        amount(
          `Fonts of ${screen}`,
          fonts.map(gzipped).reduce((sum, size) => sum + size, 0),
          'kB',
          FONTS_MAX,
        ),
      )
    }

    await page.goto('/login')
    await untilAllLoaded()
    measure('/login', LOGIN_MAX)
    await fillSignInForm(page, EMAIL, PASSWORD)
    await page.getByRole('heading', { name: 'Admin Dashboard' }).waitFor()
    // Hovering a link preloads its screen.
    await page.mouse.move(0, 0)
    const { withIds } = await makeScreenRecords(callerOf(page), 'Measured Works')
    for (const [route, { address, shown }] of Object.entries(SCREENS)) {
      loaded.clear()
      await page.goto(withIds(address))
      await page.getByText(shown).filter({ visible: true }).first().waitFor()
      await untilAllLoaded()
      measure(route.replaceAll(/\$(\w+)/g, '{$1}'), SCREEN_MAX)
    }
    return figures
  } finally {
    await browser.close()
    await server.stop()
  }
}

/** Calls admin-api with the session of the page. */
function callerOf(page: Page): CallApi {
  return async (method, route, data) => {
    const token = await page.evaluate<string>(`localStorage.getItem('admin_token')`)
    const headers = { authorization: `Bearer ${token}` }
    const answer = await page.request.fetch(`/api/v1/admin/${route}`, {
      method,
      headers,
      ...(data === undefined ? {} : { data }),
    })
    if (!answer.ok()) throw new Error(await answer.text())
    return await answer.json()
  }
}

function gzipped(file: string): number {
  const precompressed = path.join(dist, `${file}.gz`)
  const stat = statSync(precompressed, { throwIfNoEntry: false }) ?? statSync(path.join(dist, file))
  return stat.size / 1_000
}
