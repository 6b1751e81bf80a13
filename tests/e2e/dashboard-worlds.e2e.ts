import type { Page } from '@playwright/test'
import { figure, part } from './dashboard-parts.ts'
import { expect, expectAccessible, test } from './fixtures.ts'

const NONE = { count: 0, is_more: false, first: [] }
const NOBODY = {
  users: {
    total_users: 1,
    users_by_role: { super_admin: 1, admin: 0, manager: 0, user: 0 },
    users_by_status: { active: 1, inactive: 0 },
    users_by_tenant: [],
    recent_registrations: 1,
    recent_since: '2026-10-22',
  },
  tenants: {
    total_tenants: 0,
    tenants_by_status: { active: 0, inactive: 0 },
    recent_tenants: 0,
    recent_since: '2026-10-22',
    tenant_growth: [],
    tenants_with_admins: [],
  },
  attention: {
    tenants_without_admin: NONE,
    keys_expiring: NONE,
    keys_refused: NONE,
    tasks_failing: NONE,
    tasks_paused: NONE,
    tasks_late: NONE,
    untrusted_proxy: null,
  },
}

test('without a tenant every part says so', async ({ signedIn: page }) => {
  for (const [name, json] of Object.entries(NOBODY))
    await page.route(`**/analytics/${name}`, (route) => route.fulfill({ json }))
  await page.goto('/')
  await expect(figure(page, 'Avg Admins/Tenant')).toHaveText('0.0')
  for (const text of [
    'No task is over 10 minutes late',
    'No task failed its last run',
    'No key with refused calls (7 days)',
    'No active key expires within 14 days',
    'Every active tenant has an active user with the role admin',
    'No task is paused',
    'No tenant has users yet.',
    'No growth data available',
    'No tenant data available',
  ])
    await expect(page.getByText(text, { exact: true })).toBeVisible()
  await expectAccessible(page)
})

/** More records of every kind than a group counts, with names of maximum length. */
const EVERYTHING = {
  tenants_without_admin: moreOf({ admin_count: 0 }),
  keys_expiring: moreOf({ expires_at: '2030-01-01T00:00:00.000Z' }),
  keys_refused: moreOf({ refusals: { count: 1_000, outcome: 'origin_refused', is_replaced: false } }),
  tasks_failing: moreOf({ schedule_name: 'pull_google_review', reason: 'W'.repeat(200), at: null }),
  tasks_paused: moreOf({ schedule_name: 'pull_google_review', reason: null, at: null }),
  tasks_late: moreOf({ schedule_name: 'pull_google_review', reason: null, at: '2026-01-01T00:00:00.000Z' }),
  untrusted_proxy: null,
}

function moreOf(facts: object) {
  const named = { name: 'W'.repeat(100), tenant_id: crypto.randomUUID(), tenant_name: 'W'.repeat(100), subdomain: 'w' }
  return { count: 1_000, is_more: true, first: [0, 1, 2].map(() => ({ id: crypto.randomUUID(), ...named, ...facts })) }
}

for (const colorScheme of ['light', 'dark'] as const) {
  test(`an untrusted proxy is shown with its setting, in ${colorScheme}`, async ({ signedIn: page }) => {
    const address = '2001:db8:ffff:ffff:ffff:ffff:ffff:1'
    const advice = `${'Forwarded addresses are ignored. '.repeat(5)}If the proxy is yours, set TRUST_PROXY=${address}.`
    const proxy = { address, seen_at: '2026-11-20T12:00:00.000Z', advice }
    await page.route('**/analytics/attention', (route) =>
      route.fulfill({ json: { ...NOBODY.attention, untrusted_proxy: proxy } }),
    )
    await page.emulateMedia({ colorScheme })
    for (const width of [1440, 390, 320]) {
      await page.setViewportSize({ width, height: 900 })
      await page.goto('/')
      const first = part(page, 'Needs attention').getByRole('listitem').first()
      await expect(first).toContainText('Visitors share one address')
      await expect(first.getByText(/set TRUST_PROXY=2001:db8:ffff:ffff:ffff:ffff:ffff:1\.$/)).toBeInViewport({
        ratio: 1,
      })
      await expectAccessible(page)
    }
  })
}

/** Cumulative layout shift of the page since its start; up to 0.1 is good. */
const shifted = (page: Page) =>
  page.evaluate(async () => {
    let sum = 0
    const observer = new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) if ('value' in entry) sum += Number(entry.value)
    })
    observer.observe({ type: 'layout-shift', buffered: true })
    // The browser reports a paint with one of the next frames.
    for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame)
    return sum
  })

const tops = (page: Page) =>
  page.locator('h2').evaluateAll((titles) => titles.map((title) => title.getBoundingClientRect().top))

for (const width of [1440, 800, 390]) {
  for (const [amount, world] of [
    ['little', NOBODY],
    ['much', { ...NOBODY, attention: EVERYTHING }],
  ] as const) {
    test(`at ${width} pixels the layout does not shift while data loads (${amount})`, async ({ signedIn: page }) => {
      await page.setViewportSize({ width, height: 900 })
      const devTools = await page.context().newCDPSession(page)
      await devTools.send('Emulation.setCPUThrottlingRate', { rate: 4 })
      for (const last of ['attention', 'tenants']) {
        const answer = Promise.withResolvers<void>()
        for (const [name, json] of Object.entries(world)) {
          await page.route(`**/analytics/${name}`, async (route) => {
            if (name === last) await answer.promise
            await route.fulfill({ json })
          })
        }
        await page.goto('/')
        const firstPart =
          last === 'attention' ? figure(page, 'Total Users') : part(page, 'Needs attention').getByText(/late/)
        await expect(firstPart).toBeVisible()
        const before = await tops(page)
        answer.resolve()
        await expect(part(page, 'Needs attention').getByText(/late/)).toBeVisible()
        await expect(figure(page, 'Total Users')).toBeVisible()
        expect(await tops(page)).toEqual(before)
        expect(await shifted(page)).toBeLessThan(0.02)
        await page.unrouteAll()
      }
    })
  }
}
