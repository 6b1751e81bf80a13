import type { Page } from '@playwright/test'
import { SCREEN_PARTS } from '#tests/screens.ts'
import { expect, test } from './fixtures.ts'
import { makeRecords, openScreen } from './screen-walk.ts'

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

/** Walks through a loaded page; the arrow keys reach all controls of a row. */
async function expectAllReached(page: Page, address: string): Promise<void> {
  await page.evaluate('walk.begin()')
  const wrong: string[] = []
  let isInRow = false
  for (let stop = 0; stop < STOPS_MAX; stop++) {
    let step: Step | null = isInRow ? await stepBy(page, 'ArrowRight') : null
    if (step?.hasMoved !== true) step = await stepBy(page, 'Tab')
    if (step === null) break
    isInRow = step.isInRow
    wrong.push(...step.problems)
  }
  expect.soft([...wrong, ...(await page.evaluate<string[]>('walk.left()'))], address).toEqual([])
}

for (const width of [1440, 390]) {
  test.describe(`at ${width} pixels`, () => {
    test.use({ viewport: { width, height: 900 }, contextOptions: { reducedMotion: 'reduce' } })

    for (const [part, screens] of SCREEN_PARTS) {
      test(`Tab reaches every control of ${part}, with a visible focus`, async ({ signedIn: page }) => {
        await prepareWalk(page)
        const { withIds } = await makeRecords(page, `Walked ${width} ${part}`)
        for (const [, { address, few = address, shown }] of screens) {
          await openScreen(page, withIds(few), shown)
          await expectAllReached(page, few)
        }
      })
    }

    test('Tab reaches every control of the keys by tenant, with a visible focus', async ({ signedIn: page }) => {
      await prepareWalk(page)
      const { tenant, withIds } = await makeRecords(page, `Walked ${width} by tenant`)
      const address = withIds(`/keys?q=NAME&open=${tenant}`)
      await openScreen(page, address, `Walked ${width} by tenant`)
      await expectAllReached(page, address)
    })
  })
}
