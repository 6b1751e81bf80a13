import type { Page } from '@playwright/test'
import { SCREEN_PARTS } from '#tests/screens.ts'
import { callApi, expect, openSession, refuseStream, test, untilLoaded } from './fixtures.ts'
import { makeRecords } from './screen-walk.ts'
import { makeMember } from './members.ts'
import type { Server } from './server.ts'
import { rowOf, rowsOf } from './tables.ts'
import { chooseAction, makeTenant, makeUser } from './tenant-keys.ts'

/** Beginnings of the names of controls that only read, in the frame, lists, records, the dashboard and the account. */
const READING_NAMES = `
  Search | Sign out | System | Light | Dark |
  Refresh | Export | More actions for | History of | Save View | Clear | Previous | Next | Show | Filter |
  All keys | By tenant | Keys of | Copy | Compare | Preview | Verify Chain | Side by side | Unified | Details |
  \\d+ (keys?|tasks?|tenants?|low ratings?) | \\d+ (days|d|h)$ | \\d+ old keys? of | \\+\\d+%: Fixed label |
  Alerts | Mark All as Read | Save Changes | Update Password | End All Others | End the session of | Add Authenticator App | Add Passkey
`
const READING = new RegExp(
  `^(${READING_NAMES.trim()
    .split(/\s+\|\s+/)
    .join('|')})`,
)
const CREATION = ['/tenants/create', '/tenants/import', '/users/create', '/users/import', '/tasks/create']
const RESTRICTED = [...CREATION, '/settings/team', '/settings/tokens', '/settings/system']
const NOT_ALLOWED = 'Page not allowed'

/** The calls of a page that the server refused for the role. */
function refusedCalls(page: Page): string[] {
  const refused: string[] = []
  page.on('response', (answer) => {
    if (answer.status() === 403) refused.push(answer.url())
  })
  return refused
}

/** Accessible names of all buttons, switches, checkboxes and links to forms, except the sort buttons of column heads. */
async function controlNames(page: Page): Promise<string[]> {
  return await page.evaluate(() =>
    [
      ...document.querySelectorAll('button, [role="switch"], [role="checkbox"], input[type="checkbox"]'),
      ...document.querySelectorAll('a[href$="/create"], a[href$="/import"], a[href*="/create?"]'),
    ]
      .filter((control) => control.closest('thead') === null && control.checkVisibility({ visibilityProperty: true }))
      .map((control) => control.getAttribute('aria-label') ?? control.textContent?.trim() ?? ''),
  )
}

/** Records of every kind, and the session of an auditor. Returns the later calls that are refused for the role. */
async function openAsAuditor(page: Page, server: Server, name: string) {
  const { tenant, withIds } = await makeRecords(page, name)
  await callApi(page, 'POST', `tenants/${tenant}/notes`, { text: 'Renews in March.' })
  await callApi(page, 'PUT', 'prompts/templates/general', { template: `Help ${name} with {{ goal }}.` })
  await openSession(page, await makeMember(server, 'auditor'))
  return { withIds, refused: refusedCalls(page) }
}

for (const [n, [part, screens]] of SCREEN_PARTS.entries()) {
  test(`an auditor sees no control that writes on any screen: ${part}`, async ({ signedIn: page, server }) => {
    const { withIds, refused } = await openAsAuditor(page, server, `Seen ${n}`)
    for (const [path, { address, shown }] of screens) {
      await page.goto(withIds(address))
      if (RESTRICTED.includes(path)) {
        await expect(page.getByText('Your role, Auditor, does not allow this page.')).toBeVisible()
      } else {
        await expect(page.getByText(shown).filter({ visible: true }).first()).toBeVisible()
        await untilLoaded(page)
      }
      const writing = (await controlNames(page)).filter((name) => !READING.test(name))
      expect.soft(writing, path).toEqual([])
    }
    expect(refused).toEqual([])
  })
}

test('an auditor finds no action that writes in menus, shortcuts and Ctrl-K', async ({ signedIn: page, server }) => {
  const { refused } = await openAsAuditor(page, server, 'Audited')
  await page.goto('/keys?view=all&q=audited')
  await page
    .getByRole('main')
    .getByRole('row')
    .getByRole('button', { name: /^More actions for/ })
    .first()
    .click()
  await expect(page.getByRole('menuitem')).toHaveText(['Copy ID', 'History'])
  await page.goto('/users')
  await untilLoaded(page)
  await page.keyboard.press('c')
  await expect(page).toHaveURL('/users')
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: /^Search records/ }).fill('audited')
  await page
    .getByRole('option', { name: /^Audited/ })
    .first()
    .hover()
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('option', { name: 'History' })).toBeVisible()
  for (const name of ['Edit…', 'Generate Key…', 'Suspend…'])
    await expect(page.getByRole('option', { name })).toHaveCount(0)
  expect(refused).toEqual([])
})

test('a support person creates a tenant and finds no Delete and no team', async ({ signedIn: page, server }) => {
  await openSession(page, await makeMember(server, 'support'))
  const refused = refusedCalls(page)
  await page.goto('/tenants')
  await page.getByRole('link', { name: 'New Tenant' }).first().click()
  await page.getByLabel('Tenant Name').fill('Supported Works')
  await page.getByRole('button', { name: 'Create Tenant' }).click()
  const row = rowOf(page, 'Tenants', 'Supported Works')
  await row.getByRole('button', { name: 'More actions for Supported Works' }).click()
  await expect(page.getByRole('menuitem', { name: 'Edit', exact: true })).toBeVisible()
  await expect(page.getByRole('menuitem', { name: 'Delete' })).toHaveCount(0)
  await page.keyboard.press('Escape')
  await row.getByRole('checkbox').click()
  const selection = page.getByRole('region', { name: 'Selection' })
  await expect(selection.getByRole('button', { name: 'Suspend' })).toBeVisible()
  await expect(selection.getByRole('button', { name: 'Delete' })).toHaveCount(0)

  await page.goto('/users?role=super_admin')
  await expect(rowsOf(page, 'Users').first()).toBeVisible()
  await expect(page.getByRole('button', { name: /^(Edit|Deactivate|Delete) / })).toHaveCount(0)
  await page.goto('/advanced-settings')
  await expect(page.getByLabel('Template', { exact: true })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Edit', exact: true })).toHaveCount(0)
  await page.goto('/settings')
  await expect(page.getByRole('navigation', { name: 'Settings' }).getByRole('link')).toHaveText([
    'Profile',
    'Security',
    'Sessions',
  ])
  await expect(page.getByRole('list', { name: 'Console' }).getByRole('link')).toHaveText([
    'Activity',
    'Signals',
    'Prompt',
  ])
  // The shortcut of a page that the role does not allow does nothing.
  await page.keyboard.press('g')
  await page.keyboard.press('m')
  await expect(page).toHaveURL('/settings')
  await page.goto('/settings/team')
  await expect(page.getByRole('heading', { name: NOT_ALLOWED })).toBeVisible()
  await expect(page.getByText('Your role, Support, does not allow this page.')).toBeVisible()
  expect(refused).toEqual([])
})

for (const isLive of [true, false]) {
  const when = isLive ? 'at once' : 'with the next refusal, when changes cannot be followed'
  test(`a lost role takes the buttons away ${when}`, async ({ signedIn: page, server, problems }) => {
    const email = await makeMember(server, 'support')
    const name = `demoted${isLive ? 1 : 2}@example.com`
    const tenant_id = await makeTenant(page, isLive ? 'Demoted Now' : 'Demoted Later')
    await makeUser(page, tenant_id, name)
    const admin = await page.evaluate(() => localStorage.getItem('admin_token'))
    const stream = isLive ? page.waitForResponse((answer) => answer.url().includes('/events/stream')) : null
    if (!isLive) {
      problems.expected.push(/status of 403/)
      await refuseStream(page)
    }
    await openSession(page, email)
    await page.goto(`/users?q=${name}`)
    await expect(page.getByRole('link', { name: 'New User' })).toBeVisible()
    await stream

    const headers = { authorization: `Bearer ${admin}` }
    const team: unknown = await (await page.request.get('/api/v1/admin/team', { headers })).json()
    const members = Array.isArray(team) ? team : []
    const { id } = members.find((member) => member.email === email)
    await page.request.patch(`/api/v1/admin/team/${id}`, { headers, data: { role: 'auditor' } })
    if (!isLive) {
      await chooseAction(page, 'Deactivate', name)
      await expect(page.getByText('Your role does not allow this.')).toBeVisible()
    }
    await expect(page.getByRole('link', { name: 'New User' })).toHaveCount(0)
    await page.getByRole('button', { name: `More actions for ${name}` }).click()
    await expect(page.getByRole('menuitem')).toHaveText(['History', 'Portal Sign-ins'])
  })
}
