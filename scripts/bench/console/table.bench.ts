import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { PAGE_START_HEADER, TOTAL_COUNT_HEADER } from '@switchboard/contract/wire/lists'
import type { Tenant } from '@switchboard/contract/tenants'
import { withConsole } from './console-browser.ts'
import { amount, type Figure, percentile } from '#scripts/bench/measure.ts'

const PAGE_ROWS = 200
/** Rows of the smaller page. */
const FEW = 25
const ROUNDS = 15
/** Keys that move the cursor over the rows. */
const KEYS = 20
/** Longer than the work after the answer. */
const SETTLED_MS = 300

/**
 * The console's table in a browser, with the largest page: 200 rows painted, a row clicked, the cursor moved, and the
 * longest task. The bench answers in the server's place, because the measurement begins when the console has the rows.
 */
export async function benchTable(): Promise<Figure[]> {
  return await withConsole(async (page) => {
    await answerWith(page)
    const [painted, clicked, moved, longest]: [number[], number[], number[], number[]] = [[], [], [], []]
    await page.goto(`/tenants?limit=${PAGE_ROWS}`)
    await page.getByRole('row', { name: /Bench 9 / }).waitFor()
    for (let round = 0; round < ROUNDS; round += 1) {
      await page.getByLabel('Rows per page').selectOption(String(FEW))
      await page.getByText(`1–${FEW} of`).waitFor()
      painted.push(await timeToPaint(page, choosing(PAGE_ROWS), `tbody tr:nth-child(${PAGE_ROWS})`))
      const box = `tbody tr:nth-child(${round + 1}) input`
      clicked.push(await timeToPaint(page, `document.querySelector('${box}').click()`, `${box}:checked`))
    }
    for (let row = 1; row <= KEYS; row += 1) {
      moved.push(await timeToPaint(page, pressing('ArrowDown'), `tbody tr:nth-child(${row + 1}):focus`))
    }
    for (let round = 0; round < ROUNDS; round += 1) longest.push(await longestTask(page))
    return [
      amount('200 rows a page: from the choice of the page size to their paint, p50', median(painted), 'ms', 50),
      amount('200 rows a page: from a click on a row to its paint, p50', median(clicked), 'ms', 50),
      amount('200 rows a page: from a key that moves the cursor to its paint, p50', median(moved), 'ms', 50),
      amount('200 rows a page: longest task until they are painted, p50', median(longest), 'ms', 50),
    ]
  })
}

const median = (times: number[]) =>
  percentile(
    times.toSorted((one, other) => one - other),
    0.5,
  )

/** Answers a request for 200 tenants with 200 rows, and any other with `FEW`. */
async function answerWith(page: Page): Promise<void> {
  const rows = Array.from({ length: PAGE_ROWS }, (_, n): Tenant => ({
    id: randomUUID(),
    name: `Bench ${n} of many`,
    subdomain: `bench-${n}`,
    status: n % 11 === 0 ? 'inactive' : 'active',
    tenant_type: n % 2 === 0 ? 'product' : 'service',
    goal: 'Answer questions.',
    aggressiveness: 2.5,
    admin_count: n % 4,
    api_key_count: n % 3,
    test_api_key_count: n % 2,
    working_api_key_count: n % 2,
    tags: [],
    custom_fields: {},
    task_count: n % 2,
    version: 1,
    created_at: new Date(Date.UTC(2026, 0, 1) + n * 60_000).toISOString(),
    suspension_reason: null,
    suspended_at: null,
    suspended_until: null,
    deleted_at: null,
  }))
  const headers = { [TOTAL_COUNT_HEADER]: String(PAGE_ROWS), [PAGE_START_HEADER]: '0' }
  await page.route('**/api/v1/admin/tenants?*', (route) => {
    const isLarge = route.request().url().includes(`limit=${PAGE_ROWS}`)
    return route.fulfill({ json: isLarge ? rows : rows.slice(0, FEW), headers })
  })
}

// Code for the page is text, because a script has no browser types.

const choosing = (rows: number) => `
  const select = document.querySelector('select:has(option[value="${rows}"])')
  select.value = '${rows}'
  select.dispatchEvent(new Event('change', { bubbles: true }))`

/** Presses a key on the current row, which gets the focus first. */
const pressing = (key: string) => `
  const row = document.querySelector('tbody tr[tabindex="0"]')
  row.focus()
  row.dispatchEvent(new KeyboardEvent('keydown', { key: '${key}', bubbles: true, cancelable: true }))`

/** Milliseconds from an action in the page until `shown` has been painted. */
async function timeToPaint(page: Page, action: string, shown: string): Promise<number> {
  return await page.evaluate<number>(`(async () => {
    const started = performance.now()
    ${action}
    do await new Promise(requestAnimationFrame)
    while (document.querySelector(${JSON.stringify(shown)}) === null)
    // A timer runs after the paint of the frame.
    await new Promise((resolve) => setTimeout(resolve))
    return performance.now() - started
  })()`)
}

/** Milliseconds of the longest task from the choice of 200 rows a page to their paint; 0 if none takes 50. */
async function longestTask(page: Page): Promise<number> {
  await page.goto(`/tenants?limit=${FEW}`)
  await page.getByRole('row', { name: /Bench 9 / }).waitFor()
  await page.waitForLoadState('networkidle')
  await page.evaluate(`
    window.tasks = [0]
    new PerformanceObserver((list) => tasks.push(...list.getEntries().map(({ duration }) => duration)))
      .observe({ type: 'longtask' })`)
  await page.getByLabel('Rows per page').selectOption(String(PAGE_ROWS))
  await page.waitForURL(`**/tenants?limit=${PAGE_ROWS}`)
  await page.waitForLoadState('networkidle')
  await page.waitForTimeout(SETTLED_MS)
  return await page.evaluate<number>('Math.max(...tasks)')
}
