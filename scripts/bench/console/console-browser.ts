import { chromium, type Page } from '@playwright/test'
import { findChromium } from '#tests/e2e/chromium.ts'
import { EMAIL, PASSWORD, startServer } from '#tests/e2e/server.ts'

/** Runs `work` with a signed-in page of the console over new servers with no data, and stops both. */
export async function withConsole<Result>(work: (page: Page) => Promise<Result>): Promise<Result> {
  const server = await startServer()
  const { executablePath, env } = await findChromium()
  const browser = await chromium.launch({ executablePath, env: { ...process.env, ...env }, args: ['--no-sandbox'] })
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, baseURL: server.url })
    await page.goto('/login')
    await page.getByLabel('Email').fill(EMAIL)
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('heading', { name: 'Admin Dashboard' }).waitFor()
    return await work(page)
  } finally {
    await browser.close()
    await server.stop()
  }
}
