import type { Page } from '@playwright/test'
import { createApiKey } from '@switchboard/contract/api-keys'
import { createTenant } from '@switchboard/contract/tenants'
import { withConsole } from './console-browser.ts'
import { amount, type Figure, percentile } from '#scripts/bench/measure.ts'

/** The CPU is slowed by this factor, to the speed of a phone. */
const SLOWDOWN = 4
const TENANTS = 60
const KEYS = 50
const ROUNDS = 5
/** Longer than the work after an interaction: the search waits for further characters. */
const SETTLED_MS = 600
/** The shortest duration that browsers report. */
const REPORTED_MS = 16
const SHIFT_MAX = 0.02

/** A bound in milliseconds, and the action, whose slowest event counts. `back` undoes the action and is not measured. */
type Interaction = {
  what: string
  atMost: number
  act: (page: Page) => Promise<void>
  back?: (page: Page) => Promise<void>
}

const press =
  (...keys: string[]) =>
  async (page: Page) => {
    for (const key of keys) await page.keyboard.press(key)
  }
const palette = (page: Page) => page.getByRole('combobox', { name: 'Search records, screens and actions' })
const search = (page: Page) => page.getByRole('searchbox')
const dialog = (page: Page) => page.getByRole('dialog')
const closeDialog = async (page: Page) => {
  await page.keyboard.press('Escape')
  await dialog(page).waitFor({ state: 'hidden' })
}
const focusTitle = async (page: Page) => await page.getByRole('heading', { level: 1 }).focus()

const ON_TENANTS: Interaction[] = [
  {
    what: 'typing in the search',
    atMost: 100,
    act: async (page) => {
      await search(page).focus()
      await press('b', 'e', 'n')(page)
    },
    back: async (page) => {
      await search(page).fill('')
      await focusTitle(page)
    },
  },
  { what: 'moving to the next row', atMost: 100, act: press('j', 'j', 'j'), back: focusTitle },
  {
    what: 'ticking a row',
    atMost: 100,
    act: async (page) => await page.getByRole('checkbox').nth(2).click(),
    back: async (page) => await page.getByRole('checkbox').nth(2).click(),
  },
  {
    what: 'ticking all rows of a page',
    atMost: 250,
    act: async (page) => await page.getByRole('checkbox').first().click(),
    back: async (page) => await page.getByRole('checkbox').first().click(),
  },
  { what: 'sorting', atMost: 250, act: async (page) => await page.getByRole('button', { name: 'Subdomain' }).click() },
  {
    what: 'opening the palette',
    atMost: 250,
    act: async (page) => {
      await page.keyboard.press('Control+k')
      await palette(page).waitFor()
    },
    back: closeDialog,
  },
  {
    what: 'opening a dialog',
    atMost: 400,
    act: async (page) => {
      await page
        .getByRole('button', { name: /^Edit / })
        .first()
        .click()
      await dialog(page).waitFor()
    },
    back: closeDialog,
  },
  {
    what: 'going to another screen',
    atMost: 600,
    act: async (page) => await page.getByRole('complementary').getByRole('link', { name: 'Users' }).click(),
    back: async (page) => {
      await page.getByRole('complementary').getByRole('link', { name: 'Tenants' }).click()
      await page
        .getByRole('row', { name: /Bench / })
        .first()
        .waitFor()
    },
  },
]
const IN_THE_PALETTE: Interaction[] = [
  {
    what: 'typing in the palette',
    atMost: 100,
    act: press('k', 'e', 'y'),
    back: async (page) => await palette(page).fill(''),
  },
]
const IN_A_DIALOG: Interaction[] = [{ what: 'typing in a dialog', atMost: 100, act: press('a', 'b', 'c') }]
const ON_KEYS: Interaction[] = [
  {
    what: 'switching a key',
    atMost: 100,
    act: async (page) => await page.getByRole('switch').first().click(),
    // A repeated click within 0.4 s does nothing.
    back: async (page) => await page.waitForTimeout(SETTLED_MS),
  },
  {
    what: 'opening the menu of a row',
    atMost: 100,
    act: async (page) =>
      await page
        .getByRole('button', { name: /^More actions for/ })
        .first()
        .click(),
    back: press('Escape'),
  },
  {
    what: 'opening the drawer of a key',
    atMost: 400,
    act: async (page) => {
      await page
        .getByRole('link', { name: /^Bench key/ })
        .first()
        .click()
      await dialog(page).waitFor()
    },
    back: closeDialog,
  },
]

/**
 * The time from a key or a click to the next paint (INP) of the usual interactions, with the CPU slowed four times, on
 * lists of 50 rows; and the layout shift of all of them together.
 */
export async function benchInteractions(): Promise<Figure[]> {
  return await withConsole(async (page) => {
    await fill(page)
    await page.addInitScript(OBSERVE)
    const session = await page.context().newCDPSession(page)
    await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN })
    const figures: Figure[] = []
    const measureAll = async (interactions: Interaction[]) => {
      for (const interaction of interactions) figures.push(await measure(page, interaction))
    }

    await open(page, '/tenants')
    await measureAll(ON_TENANTS)
    await page.keyboard.press('Control+k')
    await measureAll(IN_THE_PALETTE)
    await closeDialog(page)
    await page
      .getByRole('button', { name: /^Edit / })
      .first()
      .click()
    await dialog(page).getByLabel('Tenant Name').focus()
    await measureAll(IN_A_DIALOG)
    figures.push(await shiftOf(page, 'tenants'))
    await open(page, '/keys')
    await measureAll(ON_KEYS)
    figures.push(await shiftOf(page, 'API keys'))
    return figures
  })
}

/** Makes tenants, and keys of one of them. */
async function fill(page: Page): Promise<void> {
  const token = await page.evaluate<string>(`localStorage.getItem('admin_token')`)
  const post = async (url: string, data: object) => {
    const answer = await page.request.post(url, { data, headers: { authorization: `Bearer ${token}` } })
    if (!answer.ok()) throw new Error(`${url} answered ${answer.status()}.`)
    return await answer.json()
  }
  let tenant_id = ''
  for (let n = 0; n < TENANTS; n += 1) {
    const body = { name: `Bench ${n} of many`, subdomain: `bench-${n}`, tenant_type: 'product' }
    tenant_id = createTenant.schema.response[201].parse(await post(createTenant.url, body)).id
  }
  for (let n = 0; n < KEYS; n += 1) await post(createApiKey.url, { tenant_id, name: `Bench key ${n}` })
}

async function open(page: Page, address: string): Promise<void> {
  await page.goto(address)
  await page
    .getByRole('row', { name: /Bench / })
    .first()
    .waitFor()
  await page.waitForLoadState('networkidle')
  await focusTitle(page)
}

/** The median over the rounds. The first round loads code and does not count. */
async function measure(page: Page, { what, atMost, act, back }: Interaction): Promise<Figure> {
  const times: number[] = []
  for (let round = 0; round <= ROUNDS; round += 1) {
    await page.evaluate('durations.length = 0')
    await act(page)
    await page.waitForTimeout(SETTLED_MS)
    times.push(await page.evaluate<number>(`Math.max(${REPORTED_MS}, ...durations)`))
    await back?.(page)
    await page.waitForTimeout(SETTLED_MS)
  }
  const counted = times.slice(1).toSorted((one, other) => one - other)
  return amount(`${SLOWDOWN} × slower CPU, ${what}: to the next paint, p50`, percentile(counted, 0.5), 'ms', atMost)
}

async function shiftOf(page: Page, screen: string): Promise<Figure> {
  const shift = await page.evaluate<number>('shift')
  return amount(`${SLOWDOWN} × slower CPU, screen of ${screen}: layout shift`, shift, 'CLS', SHIFT_MAX)
}

// Code for the page is text, because a script has no browser types.

/** Keeps the durations of interactions, and sums the layout shifts that no input has caused. */
const OBSERVE = `
  durations = []
  shift = 0
  new PerformanceObserver((list) => {
    for (const { interactionId, duration } of list.getEntries()) if (interactionId > 0) durations.push(duration)
  }).observe({ type: 'event', durationThreshold: ${REPORTED_MS} })
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) shift += value
  }).observe({ type: 'layout-shift', buffered: true })`
