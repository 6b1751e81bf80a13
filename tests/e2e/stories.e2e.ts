import type { Page } from '@playwright/test'
import { part } from './dashboard-parts.ts'
import { callApi, expect, testAlone } from './fixtures.ts'
import { person } from './person.ts'
import { rowOf, rowsOf } from './tables.ts'
import { idOf, makeTenant, secretOf } from './tenant-keys.ts'

const test = testAlone()

// The daily work of an admin, in a few clicks, and with only the keyboard. Typed text does not count as keys. Other stories
// count the steps in their own files: an expired session (forms), two admins (tenants), a slow network (layout), Back
// (row-keys), 400 % zoom (phones) and long names (key-table).

const dialog = (page: Page, name: string) => page.getByRole('dialog', { name })
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true })
const notifications = (page: Page) => page.getByRole('region', { name: 'Notifications' })
const sidebarLink = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name })
const search = (page: Page) => page.getByRole('searchbox', { name: 'Search name or subdomain' })
const palette = (page: Page) => page.getByRole('combobox', { name: 'Search records, screens and actions' })

/** Opens the dashboard, and waits until it has loaded. */
async function goHome(page: Page): Promise<void> {
  await page.goto('/')
  await expect(part(page, 'Needs attention').getByText(/./).last()).toBeVisible()
}

/** Waits until the list of tenants shows the result of the whole term. The console may search its beginning first. */
async function untilFound(page: Page, term: string, count: number): Promise<void> {
  await expect(page).toHaveURL(({ searchParams }) => searchParams.get('q') === term)
  await expect(page.getByRole('table', { name: 'Tenants' })).toHaveAttribute('aria-busy', 'false')
  await expect(rowsOf(page, 'Tenants')).toHaveCount(count)
}

// first-steps.e2e.ts tells the same story by mouse.
test('a client is onboarded by keyboard alone', async ({ onDashboard: page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const { press, pressSequence, reach, keys } = person(page)
  const next = page.getByRole('region', { name: 'Next steps' })
  await pressSequence('g', 't')
  // Exact: the dashboard has a link "New Tenants (30d)".
  await expect(page.getByRole('link', { name: 'New Tenant', exact: true }).first()).toBeVisible()
  await press('c')
  await expect(page.getByLabel('Tenant Name')).toBeFocused()
  await page.keyboard.type('Story Bakery')
  await press('Enter')
  await expect(next).toBeFocused()
  await reach(next.getByRole('link', { name: 'Add User' }))
  await press('Enter')
  await expect(page.getByLabel('Email Address')).toBeFocused()
  await expect(page.getByRole('combobox', { name: 'Tenant' })).toHaveValue('Story Bakery')
  await page.keyboard.type('story@bakery.example')
  // Over the optional name.
  await press('Tab', 'Tab')
  await page.keyboard.type('seven sisters walk at dusk')
  await press('Enter')
  await expect(next).toBeFocused()
  // The actions of the tenant appear late.
  await expect(page.getByRole('heading', { level: 1, name: 'Story Bakery' })).toBeVisible()
  await reach(next.getByRole('link', { name: 'Generate Key' }))
  await press('Enter')
  await expect(page.getByRole('dialog').getByLabel('Name')).toBeFocused()
  await press('Enter')
  await expect(button(page, 'Copy')).toBeFocused()
  await press('Enter')
  await expect(button(page, 'Copied')).toBeFocused()
  // Over the command to copy.
  await expect(button(page, 'Copy Command')).toBeVisible()
  await press('Tab', 'Tab', 'Enter')
  await expect(next).toBeFocused()
  await reach(next.getByRole('link', { name: 'Schedule Reviews' }))
  await press('Enter')
  await reach(page.getByLabel('Frequency'))
  await press('w')
  await reach(page.getByLabel('Google Place ID'))
  await page.keyboard.type('ChIJstorybakery')
  await press('Enter')
  await expect(page.getByRole('row', { name: /Story Bakery/ })).toBeVisible()
  expect(keys()).toBeLessThanOrEqual(24)
})

test('a leaked key is found by its ends and replaced', async ({ onDashboard: page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const tenant_id = await makeTenant(page, 'Story Pharmacy')
  const endsOf = async (name: string) => {
    const secret = secretOf(await callApi(page, 'POST', 'api-keys', { tenant_id, name }))
    return `${secret.slice(8, 12)}…${secret.slice(-4)}`
  }
  const rotated = dialog(page, 'Rotate API Key')
  const secret = dialog(page, 'API Key Generated')
  const { click, type, choose, press, reach, clicks, keys } = person(page)

  const found = await endsOf('Leaked window')
  await click(button(page, /^Search/))
  await type(palette(page), found)
  await click(page.getByRole('option', { name: /Leaked window/ }))
  await click(dialog(page, 'Leaked window').getByRole('button', { name: 'Rotate…' }))
  await choose(rotated.getByLabel('Keep the old key working for'), "Don't: revoke it now")
  await click(rotated.getByRole('button', { name: 'Rotate Key' }))
  await click(secret.getByRole('button', { name: 'Copy', exact: true }))
  await expect(secret.getByRole('button', { name: 'Copied' })).toBeVisible()
  await click(secret.getByRole('button', { name: 'Done' }))
  await expect(dialog(page, 'Leaked window')).toContainText(/the key is revoked\./)
  expect(clicks()).toBeLessThanOrEqual(8)

  const foundToo = await endsOf('Leaked kiosk')
  await goHome(page)
  await press('Control+k')
  await expect(palette(page)).toBeFocused()
  await page.keyboard.type(foundToo)
  await expect(page.getByRole('option', { name: /Leaked kiosk/ })).toBeVisible()
  // The first characters may have found the key too; the actions open when the whole term has been searched.
  await expect(page.getByRole('listbox', { name: 'Results' })).toHaveAttribute('aria-busy', 'false')
  await press('ArrowRight')
  await expect(page.getByRole('option', { name: 'Open' })).toBeVisible()
  await press('ArrowDown', 'Enter')
  await expect(rotated.getByLabel('Keep the old key working for')).toBeFocused()
  await press('d')
  await reach(rotated.getByRole('button', { name: 'Rotate Key' }))
  await press('Enter')
  await expect(secret.getByRole('button', { name: 'Copy', exact: true })).toBeFocused()
  await press('Enter')
  await expect(secret.getByRole('button', { name: 'Copied' })).toBeFocused()
  await press('Tab', 'Enter')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  expect(keys()).toBeLessThanOrEqual(12)
})

test('an assistant that stopped working is fixed from the dashboard', async ({ onDashboard: page, server }) => {
  const { click, press, reach, clicks, keys } = person(page)
  const tenant_id = await makeTenant(page, 'Story Florist')
  const attention = part(page, 'Needs attention')
  /** A key with refused calls of an origin, and its link on the dashboard. */
  const refuse = async (name: string, origin: string) => {
    const fields = { tenant_id, name, allowed_origins: ['https://old.florist.example'] }
    const key = await callApi(page, 'POST', 'api-keys', fields)
    const data = { api_key: secretOf(key), origin }
    const verify = () => page.request.post(`${server.aiUrl}/v1/keys/verify`, { data })
    for (let n = 0; n < 12; n += 1) expect((await verify()).status()).toBe(403)
    // Refused calls are counted within two seconds.
    const isCounted = async () => JSON.stringify(await callApi(page, 'GET', 'analytics/attention')).includes(idOf(key))
    await expect.poll(isCounted).toBe(true)
    await page.goto('/')
    const link = attention.getByRole('link', { name: `Allow origin ${name} Story Florist` })
    await expect(link).toBeVisible()
    return { link, verify }
  }
  const first = await refuse('Widget', 'https://new.florist.example')
  await click(first.link)
  await click(dialog(page, 'Widget').getByRole('button', { name: 'Allow https://new.florist.example' }))
  await expect(dialog(page, 'Widget').getByText('Allowed now')).toBeVisible()
  await expect.poll(async () => (await first.verify()).status(), { timeout: 3_000 }).toBe(200)
  expect(clicks()).toBeLessThanOrEqual(5)

  const second = await refuse('Kiosk', 'https://shop.florist.example')
  await reach(second.link)
  await press('Enter')
  const allow = dialog(page, 'Kiosk').getByRole('button', { name: 'Allow https://shop.florist.example' })
  await reach(allow)
  await press('Enter')
  await expect(dialog(page, 'Kiosk').getByText('Allowed now')).toBeVisible()
  await expect.poll(async () => (await second.verify()).status(), { timeout: 3_000 }).toBe(200)
  expect(keys()).toBeLessThanOrEqual(30)
})

test('the base template is edited and rolled back', async ({ onDashboard: page }) => {
  const { click, press, reach, clicks, keys } = person(page)
  const box = page.getByLabel('Template', { exact: true })
  const before = '{{ goal }} for the story'
  await callApi(page, 'PUT', 'prompts/templates/general', { template: before })
  const live = async () => {
    const text = await page
      .getByText(/^Version \d+$/)
      .first()
      .innerText()
    return Number(text.replace('Version ', ''))
  }
  const save = dialog(page, 'Save Template').getByRole('button', { name: /^Save as Version/ })
  const restored = page.getByText(/^restored from v/).first()

  await click(sidebarLink(page, 'Prompt'))
  await click(button(page, 'Edit'))
  await expect(box).toBeFocused()
  await page.keyboard.type('Be brief. ')
  const version = await live()
  await click(button(page, 'Save'))
  await click(save)
  await click(button(page, `More actions for version ${version}`))
  await click(page.getByRole('menuitem', { name: 'Restore' }))
  await click(button(page, `Restore as Version ${version + 2}`))
  await expect(restored).toHaveText(`restored from v${version}`)
  await expect(box).toHaveValue(before)
  expect(clicks()).toBeLessThanOrEqual(7)

  await goHome(page)
  await press('Control+k')
  await expect(palette(page)).toBeFocused()
  await page.keyboard.type('base temp')
  await expect(page.getByRole('option', { name: 'Base Templates' })).toBeVisible()
  await press('Enter')
  await reach(button(page, 'Edit'))
  await press('Enter')
  await expect(box).toBeFocused()
  await page.keyboard.type('Be kind. ')
  await reach(button(page, 'Save'), 'Shift+Tab')
  await press('Enter')
  await expect(dialog(page, 'Save Template').getByLabel('Note')).toBeFocused()
  await press('Enter')
  await expect(page.getByRole('link', { name: `Changes in version ${version + 3}`, exact: true })).toBeVisible()
  await press('j', 'j', '.')
  await expect(page.getByRole('menuitem').first()).toBeFocused()
  await press('End', 'Enter')
  await reach(button(page, `Restore as Version ${version + 4}`))
  await press('Enter')
  await expect(restored).toHaveText(`restored from v${version + 2}`)
  await expect(box).toHaveValue(before)
  expect(keys()).toBeLessThanOrEqual(16)
})

test('a tenant is suspended, and the suspension undone', async ({ onDashboard: page }) => {
  const { click, type, press, pressSequence, reach, clicks, keys } = person(page)
  await makeTenant(page, 'Story Garage')
  const row = rowOf(page, 'Tenants', 'Story Garage')
  const status = dialog(page, 'Edit Tenant').getByLabel('Status')

  await click(sidebarLink(page, 'Tenants'))
  await type(search(page), 'story garage')
  await untilFound(page, 'story garage', 1)
  await click(row.getByRole('button', { name: 'More actions for Story Garage' }))
  await click(page.getByRole('menuitem', { name: 'Suspend' }))
  await click(button(page, 'Suspend Tenant'))
  await expect(row).toContainText('Inactive')
  await click(notifications(page).getByRole('button', { name: 'Undo' }))
  await expect(row.getByText('Active', { exact: true })).toBeVisible()
  expect(clicks()).toBeLessThanOrEqual(7)

  await goHome(page)
  await pressSequence('g', 't')
  await expect(rowsOf(page, 'Tenants').first()).toBeVisible()
  await press('/')
  await expect(search(page)).toBeFocused()
  await page.keyboard.type('story garage')
  await untilFound(page, 'story garage', 1)
  await press('ArrowDown', 'e')
  await expect(dialog(page, 'Edit Tenant').getByLabel('Tenant Name')).toBeFocused()
  await reach(status)
  await press('i')
  await expect(status).toHaveValue('inactive')
  await reach(button(page, 'Suspend Tenant'))
  await press('Enter')
  await expect(row).toContainText('Inactive')
  await press('z')
  await expect(row.getByText('Active', { exact: true })).toBeVisible()
  expect(keys()).toBeLessThanOrEqual(15)
})

test('several tenants are suspended at once, and reactivated', async ({ onDashboard: page }) => {
  const { click, type, press, pressSequence, reach, clicks, keys } = person(page)
  for (const letter of ['A', 'B', 'C']) await makeTenant(page, `Story Chain ${letter}`)
  const rows = rowsOf(page, 'Tenants')
  const inactive = rows.filter({ hasText: 'Inactive' })
  const bar = page.getByRole('region', { name: 'Selection' })
  const confirm = page.getByRole('dialog').getByRole('button', { name: 'Suspend' })

  await click(sidebarLink(page, 'Tenants'))
  await type(search(page), 'story chain')
  await untilFound(page, 'story chain', 3)
  await click(page.getByRole('checkbox', { name: 'Select all on this page' }))
  await click(bar.getByRole('button', { name: 'Suspend' }))
  await click(confirm)
  await expect(inactive).toHaveCount(3)
  await click(notifications(page).getByRole('button', { name: 'Undo' }))
  await expect(inactive).toHaveCount(0)
  expect(clicks()).toBeLessThanOrEqual(6)

  await goHome(page)
  await pressSequence('g', 't')
  await expect(rowsOf(page, 'Tenants').first()).toBeVisible()
  await press('/')
  await expect(search(page)).toBeFocused()
  await page.keyboard.type('story chain')
  await untilFound(page, 'story chain', 3)
  await press('ArrowDown', 'x', 'End', 'Shift+X')
  await expect(bar.getByText('3 selected').last()).toBeVisible()
  await reach(bar.getByRole('button', { name: 'Suspend' }))
  await press('Enter')
  await reach(confirm)
  await press('Enter')
  await expect(inactive).toHaveCount(3)
  await press('z')
  await expect(inactive).toHaveCount(0)
  expect(keys()).toBeLessThanOrEqual(15)
})
