import type { Page } from '@playwright/test'
import { makeScreenRecords } from '#tests/screen-records.ts'
import { callApi, expect, untilLoaded } from './fixtures.ts'

/** The records of the screens; see `makeScreenRecords`. */
export async function makeRecords(page: Page, name: string) {
  return await makeScreenRecords((...request) => callApi(page, ...request), name)
}

/** Opens a screen, and waits for its text and its data. */
export async function openScreen(page: Page, address: string, shown: string | RegExp): Promise<void> {
  await page.goto(address)
  await expect(page.getByText(shown).filter({ visible: true }).first()).toBeVisible()
  await untilLoaded(page)
}
