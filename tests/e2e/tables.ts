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

/** The button of the filters of a list: "Filter", or "Filter: 2 set". */
export function filterButton(page: Page): Locator {
  return page.getByRole('button', { name: /^Filter(: \d+ set)?$/ })
}

/** Sets a filter of the list: opens the menu, then the filter, then chooses the value. */
export async function setFilter(page: Page, filter: string, value: string | RegExp): Promise<void> {
  await filterButton(page).click()
  await page.getByRole('option', { name: new RegExp(`^${filter}`) }).click()
  await page.getByRole('option', { name: value, exact: true }).first().click()
}

/** The chip of a filter that is set: "Status Inactive". */
export function filterChip(page: Page, text: string): Locator {
  return page.getByRole('button', { name: `${text}: show all`, exact: true })
}

/** Chooses an action in the menu of a list: "Export". */
export async function chooseListAction(page: Page, action: string | RegExp): Promise<void> {
  await page.getByRole('button', { name: /^More actions for (Tenants|Users|API Keys|Tasks|Runs|Activity)$/ }).click()
  await page
    .getByRole('menuitem', { name: action })
    .or(page.getByRole('dialog', { name: /^Actions for/ }).getByRole('button', { name: action }))
    .click()
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
