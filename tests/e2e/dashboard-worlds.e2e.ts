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
    keys_reported: NONE,
    keys_expiring: NONE,
    keys_refused: { ...NONE, of_inactive_tenants: 0 },
    tasks_failing: NONE,
    tasks_paused: NONE,
    tasks_late: NONE,
    reviews_low: NONE,
    untrusted_proxy: null,
  },
  trends: {
    days: Array.from({ length: 30 }, (_, n) => ({
      day: new Date(Date.UTC(2026, 9, 22 + n)).toISOString().slice(0, 10),
      ...FIGURES,
      accepted: n,
    })),
    total: { ...FIGURES, accepted: 435 },
    before: FIGURES,
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

test('without a tenant, the first steps come first, and every part says that it is empty', async ({
  signedIn: page,
}) => {
  const steps = { ...DONE, tenant: null, has_user: false, has_key: false, calls: 'none', has_task: false }
  await serve(page, { ...NOBODY, 'first-steps': steps })
  await page.goto('/')
  for (const width of [1440, 320]) {
    await page.setViewportSize({ width, height: 900 })
    const guide = part(page, 'First steps')
    await expect(guide.getByRole('listitem')).toHaveCount(5)
    await expect(guide.getByText('0 of 5 done')).toBeVisible()
    await expect(guide.getByRole('link')).toHaveCount(1)
    await expect(guide.getByRole('link', { name: 'Create Tenant' })).toHaveAttribute('href', '/tenants/create')
    await expect(guide.getByRole('button', { name: 'Hide' })).toHaveCount(0)
    await expect(page.getByText('/v1/keys/authorize')).toHaveCount(0)
    await expect(page.getByText('Nothing needs attention', { exact: true })).toBeVisible()
    await expect(part(page, 'Calls')).toHaveCount(0)
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
  }
  await expect(figure(page, 'Avg Admins/Tenant')).toHaveText('0.0')
  for (const text of [
    'No tenant has users yet.',
    'No tenants yet.',
    'No growth data available',
    'No tenant data available',
  ])
    await expect(page.getByText(text, { exact: true })).toBeVisible()
})

test('a figure without an earlier one says so, instead of a percentage', async ({ signedIn: page }) => {
  await serve(page, { ...NOBODY, trends: { ...NOBODY.trends, total: FIGURES } })
  await page.goto('/')
  await expect(part(page, 'Calls').getByText('No calls in these days.')).toBeVisible()
  const total = { ...FIGURES, users: 125, accepted: 1 }
  await serve(page, { ...NOBODY, trends: { ...NOBODY.trends, total } })
  await page.goto('/')
  await expect(figure(page, 'New Users \\(30d\\)')).toHaveAccessibleDescription('from 0')
  await expect(part(page, 'Calls').getByText('none in the 30 days before')).toHaveCount(2)
  const before = { ...FIGURES, users: 144, accepted: 1, refused: 8 }
  await serve(page, { trends: { ...NOBODY.trends, total, before } })
  await page.getByRole('button', { name: 'Refresh' }).click()
  await expect(figure(page, 'New Users \\(30d\\)')).toHaveAccessibleDescription('−13% from 144')
  await expect(part(page, 'Calls').getByText('±0% on the 30 days before')).toBeVisible()
  await expect(part(page, 'Calls').getByText('−100% on the 30 days before')).toBeVisible()
})

test('the worst group is open, refused keys name their cause and its remedy', async ({ signedIn: page }) => {
  const keys = [
    { ...KEY, name: 'Website', state: 'working', refused_origin: 'https://new.example' },
    { ...KEY, name: 'Old', state: 'expired', expires_at: '2026-11-19T12:00:00.000Z' },
    { ...KEY, name: 'Kiosk', state: 'switched_off' },
  ]
  const keys_refused = { count: 3, is_more: false, first: keys.map((key) => withId(key)), of_inactive_tenants: 26 }
  await serve(page, { ...NOBODY, attention: { ...EVERYTHING, keys_reported: NONE, keys_refused } })
  await page.goto('/')
  const panel = part(page, 'Needs attention')
  await expect(panel.getByRole('button').first()).toHaveText('3 keys refused')
  await expect(panel.getByRole('button').first()).toHaveAttribute('aria-pressed', 'true')
  const rows = panel.getByRole('listitem')
  await expect(rows).toHaveCount(3)
  await expect(rows.nth(0)).toContainText('https://new.example is not an allowed origin')
  await expect(rows.nth(0).getByRole('link')).toHaveText('Allow origin')
  await expect(rows.nth(1)).toContainText('Expired on Nov 19')
  await expect(rows.nth(1).getByRole('link')).toHaveText('Extend key')
  await expect(rows.nth(2)).toContainText('The key is inactive')
  await expect(rows.nth(2).getByRole('link')).toHaveText('Activate key')
  const note = 'Last 7 days, keys of active tenants. Another 26 refused keys belong to inactive tenants.'
  await expect(panel.getByText(note)).toBeVisible()
  await panel.getByRole('button', { name: '2 more' }).click()
  await panel.getByRole('button', { name: '1,000+ tasks paused' }).click()
  await expect(rows.first()).toContainText('Paused by an admin')
  await expect(panel.getByRole('link', { name: 'All paused tasks' })).toBeVisible()
})

const REFUSED = {
  refusals: { count: 1_141, outcome: 'origin_refused', is_replaced: false },
  recent_calls: [5, 4, 3, 2, 1, 0, 0].map((refused) => ({ accepted: 3, refused })),
  state: 'working',
  expires_at: null,
  allowed_origins: ['https://old.example'],
  reported_at: null,
  refused_origin: null,
}
const TENANT_OF_KEY = { tenant_id: TENANT.id, tenant_name: 'Norhaven Dental', tenant_status: 'active' }
const KEY = { ...TENANT_OF_KEY, ...REFUSED }
const withId = <Item extends object>(item: Item) => ({ id: crypto.randomUUID(), ...item })

/** More records of every kind than a group counts, with names of maximum length. */
const EVERYTHING = {
  tenants_without_admin: moreOf({ admin_count: 0 }),
  keys_reported: moreOf({ reported_at: '2026-01-01T00:00:00.000Z', is_active: true }),
  keys_expiring: moreOf({ expires_at: '2030-01-01T00:00:00.000Z' }),
  keys_refused: { ...moreOf(REFUSED), of_inactive_tenants: 1_000 },
  tasks_failing: moreOf({ schedule_name: 'pull_google_review', reason: 'W'.repeat(200), at: null }),
  tasks_paused: moreOf({ schedule_name: 'pull_google_review', reason: null, at: null }),
  tasks_late: moreOf({ schedule_name: 'pull_google_review', reason: null, at: '2026-01-01T00:00:00.000Z' }),
  reviews_low: moreOf({ task_id: crypto.randomUUID(), rating: 1, first_seen_at: '2026-01-01T00:00:00.000Z' }),
  untrusted_proxy: null,
}

function moreOf(facts: object) {
  const tenant = { tenant_id: crypto.randomUUID(), tenant_name: 'W'.repeat(100), tenant_status: 'active' }
  const place = { place_id: 'ChIJ', place_name: 'W'.repeat(100), place_address: null }
  const named = { name: 'W'.repeat(100), ...tenant, ...place }
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
      const first = part(page, 'Needs attention').getByRole('status')
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
      await expect(part(page, 'Calls').getByRole('table')).toBeVisible()
      await expect(part(page, 'Needs attention').getByRole('listitem')).toHaveCount(amount === 'much' ? 3 : 0)
      const guide = part(page, 'First steps').getByRole('listitem')
      await expect(guide).toHaveCount(amount === 'first steps' ? 5 : 0)
      expect(await shifted(page)).toBeLessThan(0.02)
      await page.unrouteAll()
    }
  })
}
