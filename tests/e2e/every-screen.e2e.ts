import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Page } from '@playwright/test'
import { PUBLIC_SCREENS, REASON, SCREENS } from '#tests/screens.ts'
import { axeFindings, expect, expectAccessible, expectNoSidewaysScroll, test, untilLoaded } from './fixtures.ts'
import { makeRecords } from './screen-walk.ts'
import { shifted } from './measures/layout-shift.ts'

const WIDE = { width: 1440, height: 900 }
const PHONE = { width: 390, height: 844 }
/** Up to 0.1 is good. */
const SHIFT_MAX = 0.02

test('every route of the console is in the list of screens', () => {
  expect([...PUBLIC_SCREENS, ...Object.keys(SCREENS)].toSorted()).toEqual(routePaths().toSorted())
})

/** The paths of all routes of the console. The path of a tab follows the path of its tenant or of the settings. */
function routePaths(): string[] {
  const src = path.resolve(import.meta.dirname, '../../apps/console/src')
  const files = ['router.tsx', 'signed-out-routes.ts', 'settings-routes.ts', 'tenant-routes.ts'].map((file) =>
    readFileSync(path.join(src, file), 'utf8'),
  )
  const router = files.join('\n')
  const routes = [...router.matchAll(/getParentRoute: \(\) => (\w+),\s+path: '([^']+)'/g)]
  const parents: Record<string, string> = { tenant: '/tenants/$tenantId', settings: '/settings' }
  const paths = routes.map(([, parent = '', own = '']) => (parents[parent] ?? '') + own)
  // The first tab has the path of its parent.
  return [...new Set(paths.map((each) => each.replace(/(?<=.)\/$/, '')))]
}

/** axe finds nothing in a state: in the light theme on a wide screen, in the dark theme on a phone. */
async function expectAccessibleState(page: Page, state: string): Promise<void> {
  await page.setViewportSize(WIDE)
  expect.soft(await axeFindings(page, 'light'), state).toEqual([])
  await page.setViewportSize(PHONE)
  expect.soft(await axeFindings(page, 'dark'), state).toEqual([])
}

for (const [n, [route, screen]] of Object.entries(SCREENS).entries()) {
  test(`axe finds nothing on ${route}, and nothing shifts: loaded, loading, failed, without a match`, async ({
    signedIn: page,
    problems,
  }) => {
    const { withIds } = await makeRecords(page, `Every ${n}`)
    const address = withIds(screen.address)
    await page.goto(address)
    for (const viewport of [WIDE, PHONE]) {
      await page.setViewportSize(viewport)
      await expect(page.getByText(screen.shown).filter({ visible: true }).first()).toBeVisible()
      await untilLoaded(page)
      if (viewport === WIDE) expect.soft(await shifted(page), 'layout shift').toBeLessThanOrEqual(SHIFT_MAX)
      await expectAccessible(page)
      await expectNoSidewaysScroll(page)
    }
    if (screen.nothing !== undefined) {
      await page.goto(withIds(screen.nothing))
      await expect(page.getByRole('main').getByRole('button', { name: 'Clear Filters' }).first()).toBeVisible()
      expect.soft(await shifted(page), 'layout shift on a phone').toBeLessThanOrEqual(SHIFT_MAX)
      await expectAccessibleState(page, 'without a match')
    }

    if (screen.failed === null) return
    problems.expected.push(/status of 422/)
    const answers = Promise.withResolvers<void>()
    await page.route(/\/api\/v1\/admin\/(?!auth\/me)/, async (call) => {
      await answers.promise
      await call.fulfill({ status: 422, json: { detail: REASON } })
    })
    await page.goto(address)
    // The page itself, not the one before its code.
    await expect(page.getByRole('heading', { level: 1 }).filter({ hasNotText: /^Loading$/ })).toBeVisible()
    await expectAccessibleState(page, 'loading')
    answers.resolve()
    await expect(page.getByText(screen.failed).filter({ visible: true }).first()).toBeVisible()
    await expectAccessibleState(page, 'failed')
  })
}
