import type { Page } from '@playwright/test'
import { PUBLIC_SCREENS, REASON, routePaths, SCREENS } from './every-screen.ts'
import {
  axeFindings,
  callApi,
  expect,
  expectAccessible,
  expectNoSidewaysScroll,
  test,
  untilLoaded,
} from './fixtures.ts'
import { shifted } from './measures/layout-shift.ts'
import { makeTask, runNow } from './task-records.ts'
import { makeKey, makeTenant } from './tenant-keys.ts'

const WIDE = { width: 1440, height: 900 }
const PHONE = { width: 390, height: 844 }
const SHIFT_MAX = 0.02

test('every route of the console is in the list of screens', () => {
  expect([...PUBLIC_SCREENS, ...Object.keys(SCREENS)].toSorted()).toEqual(routePaths().toSorted())
})

/** axe finds nothing in a state: in the light theme on a wide screen, in the dark theme on a phone. */
async function expectAccessibleState(page: Page, state: string): Promise<void> {
  await page.setViewportSize(WIDE)
  expect.soft(await axeFindings(page, 'light'), state).toEqual([])
  await page.setViewportSize(PHONE)
  expect.soft(await axeFindings(page, 'dark'), state).toEqual([])
}

for (const [n, [path, screen]] of Object.entries(SCREENS).entries()) {
  test(`axe finds nothing on ${path}, and nothing shifts: loaded, loading, failed, without a match`, async ({
    signedIn: page,
    problems,
  }) => {
    const task = await makeTask(page, `Every screen ${n}`)
    if (path === '/tasks/runs') await runNow(page, task)
    const tenant = await makeTenant(page, `Every key ${n}`)
    await makeKey(page, tenant, { name: 'Every' })
    await callApi(page, 'PUT', `prompts/templates/general?tenant_id=${tenant}`, { template: 'We close at six.' })
    const withIds = (address: string) => address.replace('TASK', task).replace('TENANT', tenant)
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
      await expect(page.getByRole('main').getByRole('button', { name: 'Clear filters' }).first()).toBeVisible()
      expect.soft(await shifted(page), 'layout shift on a phone').toBeLessThanOrEqual(SHIFT_MAX)
      await expectAccessibleState(page, 'without a match')
    }

    if (screen.failed === null) return
    problems.expected.push(/status of 422/)
    const answers = Promise.withResolvers<void>()
    await page.route(/\/api\/v1\/admin\/(?!auth\/me)/, async (route) => {
      await answers.promise
      await route.fulfill({ status: 422, json: { detail: REASON } })
    })
    await page.goto(address)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expectAccessibleState(page, 'loading')
    answers.resolve()
    await expect(page.getByText(screen.failed).filter({ visible: true }).first()).toBeVisible()
    await expectAccessibleState(page, 'failed')
  })
}
