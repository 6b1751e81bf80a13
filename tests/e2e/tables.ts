import type { Locator, Page } from '@playwright/test'

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

/** The row with this text. */
export function rowOf(page: Page, label: string, text: string): Locator {
  return rowsOf(page, label).filter({ hasText: text })
}
