import type { Page } from '@playwright/test'
import { callApi, expect, testAlone, untilLoaded } from './fixtures.ts'
import { HOSTILE_TEXTS } from './hostile-texts.ts'
import { samplePlaceId } from './task-records.ts'
import { chooseAction, idOf, makeKey, openKeyRows } from './tenant-keys.ts'
import { rowsOf } from './tables.ts'

const test = testAlone()

const textOf = (page: Page) => page.locator('body').evaluate((body) => body.textContent)

/** Nothing of a text became an element, an attribute or a script. */
async function expectHarmless(page: Page): Promise<void> {
  const found = await page.evaluate(() => {
    const inserted =
      'script:not([src], [type="application/json"]), iframe, object, embed, base, video, audio, marquee, math, animate, ' +
      'form[action], details, meta[http-equiv], body style'
    const attributes = [...document.querySelectorAll('*')].flatMap((element) => [...element.attributes])
    return [
      ...[...document.querySelectorAll(inserted)].map(({ outerHTML }) => outerHTML),
      ...attributes.filter(({ name }) => name.startsWith('on')).map(({ name }) => name),
      ...attributes
        .filter(({ name, value }) => /^(href|src)$/.test(name) && /^javascript:|^x$|evil/i.test(value))
        .map(({ value }) => value),
      ...('hacked' in window ? ['a script ran'] : []),
    ]
  })
  expect(found).toEqual([])
}

/** Every text of the list is on one of the pages of the table, byte for byte. */
async function expectVerbatim(page: Page): Promise<void> {
  const shown: string[] = []
  const next = page.getByRole('link', { name: 'Next' })
  for (let isLast = false; !isLast;) {
    await expect(page.getByText(new RegExp(`^${shown.length + 1}–`))).toBeVisible()
    shown.push(...(await rowsOf(page).allTextContents()))
    await expectHarmless(page)
    isLast = (await next.count()) === 0
    if (!isLast) await next.click()
  }
  expect(missing(shown.join('\n'))).toEqual([])
}

const missing = (shown: string) => HOSTILE_TEXTS.filter((text) => !shown.includes(text))

/** The results for all items, made four at a time: more would wait for each other until the server refuses. */
async function eachOf<Item, Result>(items: readonly Item[], make: (item: Item, n: number) => Promise<Result>) {
  const results: Result[] = []
  const entries = items.entries()
  const work = async () => {
    for (const [n, item] of entries) results[n] = await make(item, n)
  }
  await Promise.all([work(), work(), work(), work()])
  return results
}

/** A tenant, its goal and a task for each text; then the texts as keys, in the template and in its note. */
async function storeTexts(page: Page): Promise<{ tenant: string; tasks: string[] }> {
  const place_id = samplePlaceId('Hostile Works')
  const made = await eachOf(HOSTILE_TEXTS, async (text, n) => {
    const tenant = { name: text, subdomain: `hostile-${n}`, tenant_type: 'product' }
    const id = idOf(await callApi(page, 'POST', 'tenants', tenant))
    await callApi(page, 'PUT', `tenants/${id}`, { goal: text })
    const extra_data = { place_id, place_name: text, place_address: text }
    const schedule = { tenant_id: id, schedule_name: 'pull_google_review', frequency: 'monthly', extra_data }
    return { id, task: idOf(await callApi(page, 'POST', 'tasks/schedule', schedule)) }
  })
  const tenant = made[0]?.id ?? ''
  await eachOf(HOSTILE_TEXTS, (text) => makeKey(page, tenant, { name: text, description: text }))
  await eachOf(made.slice(0, 5), ({ id }, n) =>
    callApi(page, 'POST', 'tenant-admins', {
      email: `o'hara+${n}@hostile.example`,
      password: 'seven green bicycles rest',
      role: 'user',
      tenant_id: id,
    }),
  )
  const template = `{% raw %}${HOSTILE_TEXTS.join('\n')}{% endraw %}`
  await callApi(page, 'PUT', 'prompts/templates/general', { template, note: HOSTILE_TEXTS[0] })
  return { tenant, tasks: made.map(({ task }) => task) }
}

test('hostile texts in every field are shown as they are on every screen, and none of them runs', async ({
  signedIn: page,
}) => {
  const dialogs: string[] = []
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.message())
    void dialog.dismiss()
  })
  const { tenant, tasks } = await storeTexts(page)

  await page.goto('/tenants?limit=50')
  await expectVerbatim(page)
  await page.goto('/tasks?limit=50')
  await expectVerbatim(page)

  await page.goto(`/keys?tenant_id=${tenant}&limit=200`)
  await expect(rowsOf(page, 'API Keys')).toHaveCount(HOSTILE_TEXTS.length)
  expect(missing((await page.getByRole('table').textContent()) ?? '')).toEqual([])
  await expectHarmless(page)
  await page.goto(`/keys?q=hostile-0&open=${tenant}`)
  await expect(openKeyRows(page)).not.toHaveCount(0)
  await expectHarmless(page)

  await page.goto('/tenants?q=hostile-0')
  for (const action of ['Edit', 'Delete', 'Generate Key']) {
    await chooseAction(page, action, HOSTILE_TEXTS[0])
    await expect(page.getByRole('dialog')).toBeVisible()
    await expectHarmless(page)
    await page.keyboard.press('Escape')
  }

  for (const task of tasks.filter((_, n) => n % 20 === 0)) {
    await page.goto(`/tasks/${task}`)
    await expect(page.getByText('Pull Google Review for ')).toBeVisible()
    expect(await textOf(page)).toContain(HOSTILE_TEXTS[tasks.indexOf(task)])
    await expectHarmless(page)
  }

  await page.goto('/advanced-settings')
  const template = page.getByLabel('Template', { exact: true })
  await expect(template).toBeVisible()
  expect(missing(await template.inputValue())).toEqual([])
  await page.getByRole('button', { name: 'Preview', exact: true }).click()
  const preview = page.getByRole('dialog', { name: 'Base Template Preview' })
  await expect(preview).toContainText('full width')
  expect(missing((await preview.textContent()) ?? '')).toEqual([])
  await expectHarmless(page)
  await page.goto('/advanced-settings/compare?from=1&view=inline')
  await expect(page.getByText('full width').first()).toBeVisible()
  await expectHarmless(page)

  await page.goto('/settings/activity?limit=50')
  await expect(rowsOf(page).first()).toBeVisible()
  await expectHarmless(page)
  await rowsOf(page).first().getByRole('link').first().click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await expectHarmless(page)

  for (const path of ['/', '/users', '/users/create', '/tasks/create', '/tenants/create', '/settings']) {
    await page.goto(path)
    await untilLoaded(page)
    await expectHarmless(page)
  }

  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: /Search/ }).fill('onerror')
  await expect(page.getByRole('option', { name: /onerror/ }).first()).toBeVisible()
  await expectHarmless(page)
  expect(dialogs).toEqual([])
})
