import type { Page } from '@playwright/test'
import { figure, part } from './dashboard-parts.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, test } from './fixtures.ts'
import { shifted } from './measures/layout-shift.ts'

const NONE = { count: 0, is_more: false, first: [] }
const FIGURES = { users: 0, tenants: 0, accepted: 0, refused: 0 }
const TENANT = { id: crypto.randomUUID(), name: 'First Works' }
const DONE = {
  tenant: TENANT,
  has_user: true,
  has_key: true,
  key: null,
  calls: 'accepted',
  has_task: true,
  ai_api_url: 'https://ai.switchboard.example',
}
const NOBODY = {
  users: {
    total_users: 1,
    users_by_role: { super_admin: 1, support: 0, auditor: 0, admin: 0, manager: 0, user: 0 },
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
    reviews_low: NONE,
    untrusted_proxy: null,
  },
  trends: {
    from: '2026-10-22',
    to: '2026-11-20',
    days: Array.from({ length: 30 }, (_, n) => ({
      day: new Date(Date.UTC(2026, 9, 22 + n)).toISOString().slice(0, 10),
      ...FIGURES,
    })),
    total: FIGURES,
    before: { from: '2026-09-22', to: '2026-10-21', total: FIGURES },
  },
  'first-steps': DONE,
}

async function serve(page: Page, world: Record<string, object>): Promise<void> {
  for (const [name, json] of Object.entries(world))
    await page.route(
      (url) => url.pathname.endsWith(`/analytics/${name}`),
      (route) => route.fulfill({ json }),
    )
}

test('without a tenant, the first steps replace the trends, and every part says so', async ({ signedIn: page }) => {
  const steps = { ...DONE, tenant: null, has_user: false, has_key: false, calls: 'none', has_task: false }
  await serve(page, { ...NOBODY, 'first-steps': steps })
  await page.goto('/')
  for (const width of [1440, 320]) {
    await page.setViewportSize({ width, height: 900 })
    const guide = part(page, 'First steps')
    await expect(guide.getByRole('listitem')).toHaveCount(5)
    await expect(guide.getByText('0 of 5 done')).toBeVisible()
    await expect(guide.getByRole('link')).toHaveCount(1)
    await expect(guide.getByRole('link', { name: 'Create a tenant' })).toHaveAttribute('href', '/tenants/create')
    await expect(guide.getByRole('button', { name: 'Hide' })).toHaveCount(0)
    await expect(page.getByText('curl -i https://ai.switchboard.example/v1/keys/authorize')).toBeVisible()
    await expect(page.getByText('Nothing needs attention', { exact: true })).toBeVisible()
    await expect(part(page, 'Trends')).toHaveCount(0)
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
  }
  await expect(figure(page, 'Avg Admins/Tenant')).toHaveText('0.0')
  for (const text of ['No tenant has users yet.', 'No growth data available', 'No tenant data available'])
    await expect(page.getByText(text, { exact: true })).toBeVisible()
})

test('a trend without an earlier period says so, instead of a percentage', async ({ signedIn: page }) => {
  await serve(page, { ...NOBODY, trends: { ...NOBODY.trends, total: { ...FIGURES, users: 7 } } })
  await page.goto('/')
  await expect(part(page, 'Trends').getByText('no data before')).toHaveCount(4)
  const before = { ...NOBODY.trends.before, total: { ...FIGURES, users: 8, accepted: 1 } }
  await serve(page, { trends: { ...NOBODY.trends, total: { ...FIGURES, users: 7, accepted: 1 }, before } })
  await page.getByRole('button', { name: 'Refresh' }).click()
  await expect(part(page, 'Trends').getByText('−13% against Sep 22 – Oct 21')).toBeVisible()
  await expect(part(page, 'Trends').getByText('±0% against Sep 22 – Oct 21')).toBeVisible()
  await expect(part(page, 'Trends').getByText('none in Sep 22 – Oct 21')).toHaveCount(2)
})

/** More records of every kind than a group counts, with names of maximum length. */
const EVERYTHING = {
  tenants_without_admin: moreOf({ admin_count: 0 }),
  keys_expiring: moreOf({ expires_at: '2030-01-01T00:00:00.000Z' }),
  keys_refused: moreOf({ refusals: { count: 1_000, outcome: 'origin_refused', is_replaced: false } }),
  tasks_failing: moreOf({ schedule_name: 'pull_google_review', reason: 'W'.repeat(200), at: null }),
  tasks_paused: moreOf({ schedule_name: 'pull_google_review', reason: null, at: null }),
  tasks_late: moreOf({ schedule_name: 'pull_google_review', reason: null, at: '2026-01-01T00:00:00.000Z' }),
  reviews_low: moreOf({ task_id: crypto.randomUUID(), rating: 1, first_seen_at: '2026-01-01T00:00:00.000Z' }),
  untrusted_proxy: null,
}

function moreOf(facts: object) {
  const tenant = { tenant_id: crypto.randomUUID(), tenant_name: 'W'.repeat(100), tenant_status: 'active' }
  const named = { name: 'W'.repeat(100), ...tenant, subdomain: 'w' }
  return { count: 1_000, is_more: true, first: [0, 1, 2].map(() => ({ id: crypto.randomUUID(), ...named, ...facts })) }
}

for (const colorScheme of ['light', 'dark'] as const) {
  test(`an untrusted proxy is shown with its setting, in ${colorScheme}`, async ({ signedIn: page }) => {
    const address = '2001:db8:ffff:ffff:ffff:ffff:ffff:1'
    const advice = `${'Forwarded addresses are ignored. '.repeat(5)}If the proxy is yours, set TRUST_PROXY=${address}.`
    const proxy = { address, seen_at: '2026-11-20T12:00:00.000Z', advice }
    await serve(page, { 'first-steps': DONE, attention: { ...NOBODY.attention, untrusted_proxy: proxy } })
    await page.emulateMedia({ colorScheme })
    await page.goto('/')
    for (const width of [1440, 390, 320]) {
      await page.setViewportSize({ width, height: 900 })
      const first = part(page, 'Needs attention').getByRole('listitem').first()
      await expect(first).toContainText('Visitors share one address')
      await expect(first.getByText(/set TRUST_PROXY=2001:db8:ffff:ffff:ffff:ffff:ffff:1\.$/)).toBeInViewport({
        ratio: 1,
      })
      if (width !== 390) await expectAccessible(page)
    }
  })
}

const MUCH = { ...NOBODY, attention: EVERYTHING }
const FIRST_STEPS = { ...NOBODY, 'first-steps': { ...DONE, has_task: false } }

for (const [width, amount, world] of [
  [1440, 'nothing', NOBODY],
  [1440, 'much', MUCH],
  [800, 'much', MUCH],
  [390, 'much', MUCH],
  [390, 'first steps', FIRST_STEPS],
] as const) {
  test(`at ${width} pixels the layout does not shift while data loads (${amount})`, async ({ signedIn: page }) => {
    await page.setViewportSize({ width, height: 900 })
    for (const last of ['attention', 'tenants', 'trends', 'first-steps']) {
      const answer = Promise.withResolvers<void>()
      for (const [name, json] of Object.entries(world)) {
        await page.route(
          (url) => url.pathname.endsWith(`/analytics/${name}`),
          async (route) => {
            if (name === last) await answer.promise
            await route.fulfill({ json })
          },
        )
      }
      await page.goto('/')
      await expect(page.getByText('Loading dashboard...').first()).toBeVisible()
      answer.resolve()
      await expect(figure(page, 'Total Users')).toBeVisible()
      await expect(part(page, 'Trends').getByRole('figure')).toHaveCount(4)
      const guide = part(page, 'First steps').getByRole('listitem')
      await expect(guide).toHaveCount(amount === 'first steps' ? 5 : 0)
      expect(await shifted(page)).toBeLessThan(0.02)
      await page.unrouteAll()
    }
  })
}
