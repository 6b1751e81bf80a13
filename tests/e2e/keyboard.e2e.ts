import type { Page } from '@playwright/test'
import { expect, test, untilLoaded } from './fixtures.ts'
import { makeTask, runNow } from './task-records.ts'
import { makeKey, makeTenant } from './tenant-keys.ts'

/** More Tab stops than any screen has; more stops are a keyboard trap. */
const STOPS_MAX = 200

/** Prepares the page for a walk: the interactive elements, and their look without focus. */
async function prepareWalk(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const looks = new Map<Element, string>()
    let last: Element | null = null
    const lookOf = (element: Element) =>
      [element, element.parentElement, element.nextElementSibling, element.closest('label')]
        .map((shown) => {
          if (shown === null) return ''
          const { outline, boxShadow, borderColor } = getComputedStyle(shown)
          return `${outline} ${boxShadow} ${borderColor}`
        })
        .join()
    const textOf = (element: Element) => element.outerHTML.slice(0, 160)
    const walk = {
      /** Only chosen radio buttons, and only the current row of a table: the arrow keys reach the others. */
      begin() {
        const all = document.querySelectorAll(
          'a[href], button:enabled, input:enabled:not([type="radio"]:not(:checked)), select:enabled, textarea:enabled, summary, tr[tabindex]',
        )
        looks.clear()
        last = null
        // A form has focused its first field; the walk begins before the page.
        const start = document.createElement('span')
        start.tabIndex = -1
        document.body.prepend(start)
        start.focus()
        start.remove()
        for (const one of all) {
          const isReachable = one.closest('tr[tabindex="-1"]') === null
          if (isReachable && one.checkVisibility({ visibilityProperty: true })) looks.set(one, lookOf(one))
        }
      },
      /** The focused element, and its problems; null at the end of the walk. */
      step() {
        const focused = document.activeElement
        if (focused === null || focused === document.body) return null
        const hasMoved = focused !== last
        last = focused
        return { hasMoved, isInRow: focused.matches('tr, tr *'), problems: problemsOf(focused) }
      },
      left: () => [...looks.keys()].map((element) => `out of reach: ${textOf(element)}`),
    }
    const problemsOf = (focused: Element) => {
      const before = looks.get(focused)
      looks.delete(focused)
      const { top, bottom, left, right } = focused.getBoundingClientRect()
      const isInView = bottom > 0 && right > 0 && top < innerHeight && left < innerWidth
      return [
        ...(isInView ? [] : [`out of view: ${textOf(focused)}`]),
        ...(before === lookOf(focused) ? [`looks the same: ${textOf(focused)}`] : []),
      ]
    }
    Object.assign(window, { walk })
  })
}

type Step = { hasMoved: boolean; isInRow: boolean; problems: string[] }

/** Presses a key; null when no element has the focus any longer. */
async function stepBy(page: Page, key: string): Promise<Step | null> {
  await page.keyboard.press(key)
  return await page.evaluate<Step | null>('walk.step()')
}

for (const width of [1440, 390]) {
  test(`at ${width} pixels Tab reaches every control of every screen, with a visible focus`, async ({
    signedIn: page,
  }) => {
    await page.setViewportSize({ width, height: 900 })
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await prepareWalk(page)
    const tenant = await makeTenant(page, `Walked ${width}`)
    await makeKey(page, tenant, { name: 'Walked' })
    const task = await makeTask(page, `Walked task ${width}`)
    await runNow(page, task)
    for (const [address, heading] of [
      ['/', 'Admin Dashboard'],
      [`/tenants?q=walked-${width}`, 'Tenants'],
      ['/tenants/create', 'New Tenant'],
      [`/tenants/${tenant}`, `Walked ${width}`],
      ['/users', 'Users'],
      ['/users/create', 'New User'],
      [`/keys?q=walked-${width}`, 'API Keys'],
      [`/keys?view=tenants&q=walked-${width}&open=${tenant}`, 'API Keys'],
      [`/tasks?q=walked+task+${width}`, 'Tasks'],
      ['/tasks/create', 'New Task'],
      [`/tasks/runs?q=walked+task+${width}`, 'Runs'],
      [`/tasks/${task}`, /^ChIJ/],
      ['/settings', 'Admin Settings'],
      ['/settings/team', 'Team'],
      ['/settings/activity', 'Activity'],
      ['/settings/security', 'Security'],
      ['/settings/tokens', 'Machine tokens'],
      ['/settings/system', 'System'],
      ['/advanced-settings', 'Base Templates'],
    ] as const) {
      await page.goto(address)
      await expect(page.getByRole('heading', { level: 1 }), address).toHaveText(heading)
      await untilLoaded(page)
      await page.evaluate('walk.begin()')
      const wrong: string[] = []
      let isInRow = false
      for (let stop = 0; stop < STOPS_MAX; stop++) {
        // The arrow keys reach all controls of a row.
        let step = isInRow ? await stepBy(page, 'ArrowRight') : null
        if (step?.hasMoved !== true) step = await stepBy(page, 'Tab')
        if (step === null) break
        isInRow = step.isInRow
        wrong.push(...step.problems)
      }
      expect.soft([...wrong, ...(await page.evaluate<string[]>('walk.left()'))], address).toEqual([])
    }
  })
}
