import type { Locator, Page } from '@playwright/test'
import { expect } from './fixtures.ts'

/**
 * Presses the keys of a sequence, such as "g t", one over the other like a fast typist: the console forgets the first key
 * after a second.
 */
export async function pressSequence(page: Page, ...keys: string[]): Promise<void> {
  await Promise.all(keys.map((key) => page.keyboard.press(key)))
}

/** The most Tab presses towards a control. */
const TABS_MAX = 60

/** A person at the mouse or at the keyboard. Counts clicks, and key presses besides typed text. */
export function person(page: Page) {
  let clicks = 0
  let keys = 0
  const click = async (target: Locator) => {
    clicks += 1
    await target.click()
  }
  const press = async (...names: string[]) => {
    for (const name of names) {
      keys += 1
      await page.keyboard.press(name)
    }
  }
  /** Moves the focus to a control by Tab, or by another key. */
  const reach = async (target: Locator, key = 'Tab') => {
    await expect(target).toBeVisible()
    for (let n = 0; n < TABS_MAX && !(await hasFocus(target)); n += 1) await press(key)
    await expect(target).toBeFocused()
  }
  return {
    clicks: () => clicks,
    keys: () => keys,
    click,
    press,
    pressSequence: async (...names: string[]) => {
      keys += names.length
      await pressSequence(page, ...names)
    },
    /** Types into a field, and clicks it only when it does not have the focus. */
    type: async (field: Locator, text: string) => {
      await expect(field).toBeVisible()
      if (!(await hasFocus(field))) await click(field)
      await page.keyboard.type(text)
    },
    /** Opens a select and chooses an option: two clicks. */
    choose: async (select: Locator, option: string) => {
      clicks += 2
      await select.selectOption(option)
    },
    reach,
    /** Moves the focus to a button or link by Tab, and presses Enter. */
    enter: async (target: Locator) => {
      await reach(target)
      await press('Enter')
    },
  }
}

const hasFocus = (target: Locator) => target.evaluate((element) => element === document.activeElement)
