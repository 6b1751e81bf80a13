import { availableParallelism } from 'node:os'
import { defineConfig } from '@playwright/test'
import { findChromium } from './tests/e2e/chromium.ts'

const chromium = await findChromium()

/** Files with separate servers. First, because Playwright would run these long files last, on one worker. */
const OWN_SERVERS = [
  'first-steps.e2e.ts',
  'invitations.e2e.ts',
  'lost-server.e2e.ts',
  'stored-xss.e2e.ts',
  'stories.e2e.ts',
]

export default defineConfig({
  testDir: 'tests/e2e',
  projects: [
    { name: 'own servers', testMatch: OWN_SERVERS },
    { name: 'shared servers', testMatch: '*.e2e.ts', testIgnore: OWN_SERVERS },
  ],
  outputDir: '.reports/e2e',
  reporter: [['list'], ['json', { outputFile: '.reports/e2e.json' }]],
  fullyParallel: true,
  forbidOnly: true,
  retries: 0,
  // One more than cores: a story waits a fifth of its time.
  workers: Math.min(availableParallelism() + 1, 4),
  // Limits for a test that hangs; the checks of figures are elsewhere. Machines differ in speed by a factor of ten.
  timeout: 180_000,
  expect: { timeout: 20_000 },
  use: {
    viewport: { width: 1440, height: 900 },
    locale: 'en-US',
    timezoneId: 'UTC',
    // A trace of every story costs a third of the time; `--trace on` writes one.
    trace: 'off',
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath: chromium.executablePath,
      env: { ...process.env, ...chromium.env },
      // CI machines run as root, where Chromium's sandbox cannot start; the pages are our own. No other host is called.
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
})
