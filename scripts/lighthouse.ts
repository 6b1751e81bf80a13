import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { chromium, type Page } from '@playwright/test'
import { z } from 'zod'
import { findChromium } from '#tests/e2e/chromium.ts'
import { EMAIL, PASSWORD } from '#tests/e2e/server.ts'
import { fillSignInForm } from '#tests/e2e/sign-in-form.ts'
import { SCREENS } from '#tests/screens.ts'
import { dataFolder, startProcess } from '#tests/server-process.ts'

// `npm run lighthouse` measures every screen of a production build over the demo world with Lighthouse, with an empty
// cache, on a phone and on a desktop; or the screens given after `--`. Lighthouse is downloaded for the run only,
// because its hundred packages are not part of the product. Exits with 1 when a figure fails.

const LIGHTHOUSE = 'lighthouse@13.5.0'
/** The screens with a fixed address. */
const FIXED = Object.entries(SCREENS).flatMap(([route, { address }]) => (route === address ? [route] : []))
/** Rounds per screen. The median by performance counts, because other load on the machine lowers the score. */
const ROUNDS = 3
/** Minimum scores, of 100. */
const FIGURES = {
  mobile: { performance: 90, accessibility: 100, 'best-practices': 100 },
  desktop: { performance: 99, accessibility: 100, 'best-practices': 100 },
}
type Form = keyof typeof FIGURES
const FORMS = ['mobile', 'desktop'] as const

/** The used parts of Lighthouse's report. */
const report = z.object({
  categories: z.record(z.string(), z.object({ score: z.nullable(z.number()) })),
  audits: z.record(
    z.string(),
    z.object({
      title: z.string(),
      score: z.nullable(z.number()),
      scoreDisplayMode: z.string(),
      displayValue: z.optional(z.string()),
    }),
  ),
})
type Report = z.infer<typeof report>

const named = process.argv.slice(2)
const folder = await mkdtemp(path.join(tmpdir(), 'switchboard-lighthouse-'))
const dataDir = dataFolder()
const demo = startProcess(
  { DATA_DIR: dataDir, SUPER_ADMIN_EMAIL: EMAIL, SUPER_ADMIN_PASSWORD: PASSWORD },
  'scripts/demo.ts',
)
const address = await demo.ready()
const { executablePath, env } = await findChromium()
const browser = await chromium.launchPersistentContext(path.join(folder, 'profile'), {
  executablePath,
  env: { ...process.env, ...env },
  args: ['--no-sandbox', '--remote-debugging-port=0'],
})
const lines: Record<string, string | number>[] = []
try {
  const port = (await readFile(path.join(folder, 'profile', 'DevToolsActivePort'), 'utf8')).split('\n', 1)[0] ?? ''
  // A new browser is slow, and Lighthouse sometimes finds no start in its trace.
  const page = await browser.newPage()
  await page.goto(`${address}/login`)
  let isSignedIn = false
  for (const screen of named.length > 0 ? named : ['/login', ...FIXED]) {
    if (screen !== '/login' && !isSignedIn) {
      await signIn(page)
      isSignedIn = true
    }
    for (const form of FORMS) {
      const reports: Report[] = []
      while (reports.length < ROUNDS) {
        await emptyCache(page)
        reports.push(await measure(port, screen, form))
      }
      lines.push(lineOf(screen, form, median(reports)))
    }
  }
} finally {
  await browser.close()
  demo.child.kill('SIGTERM')
  await demo.ended
  await rm(dataDir, { recursive: true, force: true })
  await rm(folder, { recursive: true, force: true })
}
console.table(lines)
process.exit(lines.every(({ holds }) => holds === 'yes') ? 0 : 1)

/** The token stays in the profile, because `--disable-storage-reset` keeps the profile. */
async function signIn(page: Page): Promise<void> {
  await page.goto(`${address}/login`)
  await fillSignInForm(page, EMAIL, PASSWORD)
  await page.getByRole('complementary').waitFor()
  await page.goto('about:blank')
}

/** Clears only the cache. Lighthouse's own reset would remove the token too. */
async function emptyCache(page: Page): Promise<void> {
  const session = await browser.newCDPSession(page)
  await session.send('Network.clearBrowserCache')
  await session.detach()
}

async function measure(port: string, screen: string, form: Form): Promise<Report> {
  const output = path.join(folder, 'report.json')
  const settings = [`--port=${port}`, '--disable-storage-reset', '--quiet', '--output=json', `--output-path=${output}`]
  const categories = `--only-categories=${Object.keys(FIGURES[form]).join(',')}`
  const preset = form === 'desktop' ? ['--preset=desktop'] : []
  const child = spawn(
    'npm',
    [
      'exec',
      '--yes',
      `--package=${LIGHTHOUSE}`,
      '--',
      'lighthouse',
      `${address}${screen}`,
      ...settings,
      categories,
      ...preset,
    ],
    { stdio: ['ignore', 'ignore', 'inherit'], cwd: folder },
  )
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`Lighthouse ended with ${code} on ${screen}.`)
  return report.parse(JSON.parse(await readFile(output, 'utf8')))
}

function median(reports: Report[]): Report {
  const [middle] = reports
    .toSorted((one, other) => performanceOf(one) - performanceOf(other))
    .slice(Math.floor(reports.length / 2))
  if (middle === undefined) throw new Error('Nothing was measured.')
  return middle
}

function performanceOf({ categories }: Report): number {
  return categories['performance']?.score ?? 0
}

function lineOf(screen: string, form: Form, { categories, audits }: Report) {
  const scoreOf = (name: string) => Math.round(100 * (categories[name]?.score ?? 0))
  const figures = Object.entries(FIGURES[form])
  const failed = Object.values(audits).filter(
    ({ score, scoreDisplayMode }) => scoreDisplayMode === 'binary' && score === 0,
  )
  return {
    screen,
    form,
    ...Object.fromEntries(figures.map(([name]) => [name, scoreOf(name)])),
    'first paint': audits['first-contentful-paint']?.displayValue ?? '',
    'largest paint': audits['largest-contentful-paint']?.displayValue ?? '',
    blocked: audits['total-blocking-time']?.displayValue ?? '',
    shift: audits['cumulative-layout-shift']?.displayValue ?? '',
    failed: failed.map(({ title }) => title).join('; '),
    holds: figures.every(([name, least]) => scoreOf(name) >= least) ? 'yes' : 'NO',
  }
}
