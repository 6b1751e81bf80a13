import type { Locator, Page } from '@playwright/test'
import { callApi, expect, test } from './fixtures.ts'

/** Wide enough for four digits, and no wider than a template needs. */
const NUMBER_MAX = 48

const lines = Array.from({ length: 40 }, (_, n) => `Rule ${n + 1} of the assistant, {{ goal }}`)
const changed = lines.with(29, 'Rule 30 has another text, {{ goal }}')

async function widths(table: Locator): Promise<{ numbers: number[]; texts: number[]; table: number }> {
  const cells = table.getByRole('row').filter({ hasText: 'Rule 27 ' }).getByRole('cell')
  const all = await cells.evaluateAll((found) => found.map((cell) => cell.getBoundingClientRect().width))
  const isNumber = await cells.evaluateAll((found) => found.map((cell) => /^\d*$/.test(cell.textContent)))
  const tableWidth = await table.evaluate((element) => element.getBoundingClientRect().width)
  return { numbers: all.filter((_, n) => isNumber[n]), texts: all.filter((_, n) => !isNumber[n]), table: tableWidth }
}

/** The text columns share all space left by the two narrow number columns. */
async function expectRoomForText(table: Locator, texts: number): Promise<void> {
  await expect(table.getByRole('button', { name: 'Show 26 Unchanged Lines' })).toBeVisible()
  const found = await widths(table)
  expect(found.numbers).toHaveLength(2)
  for (const width of found.numbers) expect(width).toBeLessThanOrEqual(NUMBER_MAX)
  expect(found.texts).toHaveLength(texts)
  for (const width of found.texts) expect(width).toBeGreaterThan((found.table - 2 * NUMBER_MAX) / texts - 1)
}

const tableIn = (place: Page | Locator) => place.getByRole('table', { name: /^(From version|Changes in this version)/ })

for (const width of [1440, 390]) {
  test(`a change on line 30 leaves the text its room at ${width} pixels`, async ({ signedIn: page }) => {
    const isPhone = width === 390
    await page.setViewportSize({ width, height: 900 })
    await callApi(page, 'PUT', 'prompts/templates/general', { template: `${lines.join('\n')}\n${width}` })
    await page.goto('/advanced-settings')
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await page.getByLabel('Template', { exact: true }).fill(`${changed.join('\n')}\n${width}`)
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Save Template' })
    await expectRoomForText(tableIn(dialog), 1)
    if (!isPhone) {
      await dialog.getByLabel('View').selectOption('Side by side')
      await expectRoomForText(tableIn(dialog), 2)
    }
    const save = dialog.getByRole('button', { name: /^Save as Version/ })
    const version = Number((await save.innerText()).replace('Save as Version ', ''))
    await save.click()
    await expect(dialog).toHaveCount(0)

    await page.goto(`/advanced-settings/compare?from=${version - 1}&to=${version}`)
    await expectRoomForText(tableIn(page), isPhone ? 1 : 2)
  })
}
