import { expect, type Locator, type Page } from '@playwright/test'

/** The table with this label; without a label, every table of the page. */
export function tableOf(page: Page, label?: string): Locator {
  return page.getByRole('table', label === undefined ? {} : { name: label })
}

/** The rows of a table, without its head. */
export function rowsOf(page: Page, label?: string): Locator {
  return tableOf(page, label)
    .getByRole('row')
    .filter({ has: page.getByRole('cell') })
}

/** The pager of a list says this number of rows: "1–50 of 312", or "1 tenant". */
export async function expectTotal(page: Page, count: number): Promise<void> {
  const range = count === 1 ? '^1 [A-Za-z]' : `^1–\\d+ of ${count}\\D`
  await expect(page.getByRole('navigation', { name: 'Pages' })).toHaveText(new RegExp(range))
}

/** The row with this text. */
export function rowOf(page: Page, label: string, text: string): Locator {
  return rowsOf(page, label).filter({ hasText: text })
}
