import type { Page } from '@playwright/test'
import { SCREEN_PARTS } from '#tests/screens.ts'
import { cutCells, cutOff, WIDTHS } from './measures/cut-off.ts'
import { callApi, expect, test, untilLoaded } from './fixtures.ts'
import { makeRecords, openScreen } from './screen-walk.ts'
import { makeTask, runNow } from './task-records.ts'
import { chooseListAction, rowsOf } from './tables.ts'
import { chooseAction, makeKey, makeUser } from './tenant-keys.ts'

const NAME = 'Wonderful Extraordinary Longnamed Rehabilitation Partners'

/** Nothing is cut off at any width, and no page scrolls sideways. */
async function expectNothingCutOff(page: Page, screen: string): Promise<void> {
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 })
    expect.soft(await cutOff(page), `${screen} at ${width} pixels`).toEqual([])
  }
  await page.setViewportSize({ width: 1440, height: 900 })
}

/** A tenant with a long name, a user, a key that expires soon, a key in grace, and a task. */
async function makeWorld(page: Page, name: string): Promise<{ tenant: string; task: string }> {
  const task = await makeTask(page, name)
  const [row] = recordsOf(await callApi(page, 'GET', `tenants?limit=1&q=${encodeURIComponent(name)}`))
  const tenant = row?.id ?? ''
  const email = `a.rather.long.address.of.reception.${crypto.randomUUID().slice(0, 8)}@rehabilitation.example.com`
  await makeUser(page, tenant, email, { role: 'admin' })
  const origins = ['https://www.rehabilitation-partnership.example.com', 'https://*.example.org']
  const expires_at = new Date(Date.now() + 5.5 * 86_400_000).toISOString()
  const old = await makeKey(page, tenant, { name: 'Production', allowed_origins: origins, expires_at })
  await callApi(page, 'POST', `api-keys/${old}/rotate`, { grace_seconds: 86_400 })
  return { tenant, task }
}

function recordsOf(answer: unknown): { id: string }[] {
  if (!Array.isArray(answer)) throw new Error('no list')
  return answer.map((row: unknown) => ({ id: String(Reflect.get(Object(row), 'id')) }))
}

/** Opens each address, waits for a text of the loaded screen, and checks it at every width. */
async function expectScreensWhole(
  page: Page,
  screens: readonly (readonly [address: string, shown: string | RegExp])[],
) {
  for (const [address, shown] of screens) {
    await openScreen(page, address, shown)
    await expectNothingCutOff(page, address)
  }
}

for (const [n, [part, screens]] of SCREEN_PARTS.entries()) {
  test(`no action is cut off on the screens of ${part} at any width`, async ({ signedIn: page }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' })
    const { withIds } = await makeRecords(page, `${NAME} ${n}`)
    const shown = screens.map(([, { address, few = address, shown: text }]) => [withIds(few), text] as const)
    await expectScreensWhole(page, shown)
  })
}

test('no action is cut off on a list with filters or long records at any width', async ({ signedIn: page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  const { tenant } = await makeWorld(page, `${NAME} A`)
  await expectScreensWhole(page, [
    ['/tenants', 'Rows per page'],
    ['/tenants?q=longnamed&status=active&created_from=2026-01-01', NAME],
    [`/tenants/${tenant}/keys`, 'Production'],
    ['/users?q=rehabilitation', 'a.rather.long'],
    [`/users?tenant_id=${tenant}`, 'a.rather.long'],
    [`/keys?q=longnamed&open=${tenant}`, 'Production'],
    [`/keys?tenant_id=${tenant}&state=in_grace`, 'Active'],
    ['/keys?attention=keys_expiring', 'Production'],
    [`/settings/activity?tenant_id=${tenant}&from=2026-01-01&to=2030-01-01`, 'Created the tenant'],
  ])
})

test('no action is cut off in the versions and the editor of a template at any width', async ({ signedIn: page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await callApi(page, 'PUT', 'prompts/templates/general', { template: 'Help.' })
  const saved = await callApi(page, 'PUT', 'prompts/templates/general', {
    template: 'Help with {{ goal }}.\nBe short.',
  })
  const version = Number(Reflect.get(Object(saved), 'version'))
  await expectScreensWhole(page, [[`/advanced-settings/compare?from=${version - 1}&to=${version}`, '+2 lines']])
  await page.goto('/advanced-settings')
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await page.getByLabel('Template', { exact: true }).fill('Help with {{ goal }}. {{ gaol }}')
  await expect(page.getByText(/^Unknown variable/)).toBeVisible()
  await expectNothingCutOff(page, 'the editor of the template')
})

const press = (name: RegExp) => (page: Page) =>
  page.getByRole('button', { name }).filter({ visible: true }).first().click()

type Opening = [address: string, dialog: string | RegExp, open: (page: Page) => Promise<void>]
const KEYS = '/keys?q=longnamed&open='
const IN_GRACE = '/keys?q=longnamed&state=in_grace'

/** The dialogs with their openers. `KEYS` is completed with the id of the tenant, /tasks/ with the id of the task. */
const DIALOGS: Record<string, Opening[]> = {
  'tenants and users': [
    ['/tenants?q=longnamed', 'Edit Tenant', (page) => chooseAction(rowsOf(page).first(), 'Edit')],
    ['/tenants?q=longnamed', 'Delete Tenant', (page) => chooseAction(rowsOf(page).first(), 'Delete')],
    ['/tenants', 'Columns', (page) => chooseListAction(page, 'Columns')],
    ['/tenants?q=longnamed', 'Suspend Tenant', suspendFirst],
    ['/tenants', 'Export Tenants', (page) => chooseListAction(page, 'Export')],
    ['/users?q=rehabilitation', 'Delete User', (page) => chooseAction(rowsOf(page).first(), 'Delete')],
    ['/users?q=rehabilitation', /^Portal Sign-ins of a\.rather/, openSignIns],
    ['/', 'Keyboard Shortcuts', (page) => page.keyboard.press('?')],
  ],
  'API keys': [
    [KEYS, 'Generate API Key', generateWithOptions],
    [KEYS, 'Rotate API Key', (page) => chooseAction(page, 'Rotate', 'Production')],
    [IN_GRACE, 'Extend Grace', (page) => chooseAction(page, 'Extend Grace', 'Production')],
    [IN_GRACE, 'Revoke Old Key Now', (page) => chooseAction(page, 'Revoke Old Key Now', 'Production')],
    [KEYS, 'Delete API Key', (page) => chooseAction(page, 'Delete', 'Production')],
    [
      IN_GRACE,
      'Production',
      (page) =>
        page
          .getByRole('link', { name: /^Production ending/ })
          .first()
          .click(),
    ],
  ],
  tasks: [
    ['/tasks/', 'Edit Task', press(/^Edit /)],
    ['/tasks/', 'Delete Task', (page) => chooseAction(page, 'Delete')],
    ['/tasks/create', 'Generate Place ID', press(/^Generate Place ID/)],
  ],
  'templates and activity': [
    ['/advanced-settings', 'Base Template Preview', press(/^Preview$/)],
    ['/advanced-settings', /^Restore Version/, (page) => chooseAction(rowsOf(page, 'Versions').nth(1), 'Restore')],
    ['/advanced-settings', 'Save Template', editTemplate],
    ['/settings/activity', 'Verify Chain', press(/^Verify Chain/)],
    ['/settings/activity?row=1', /./, async () => undefined],
  ],
}

async function generateWithOptions(page: Page): Promise<void> {
  await press(/^Generate Key for/)(page)
  await press(/^More Options$/)(page)
}

async function openSignIns(page: Page): Promise<void> {
  await chooseAction(rowsOf(page).first(), 'Edit')
  await press(/^Portal Sign-ins$/)(page)
}

async function suspendFirst(page: Page): Promise<void> {
  await page
    .getByRole('link', { name: /Longnamed/ })
    .first()
    .click()
  await press(/^Suspend /)(page)
}

async function editTemplate(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await page.getByLabel('Template', { exact: true }).fill(`Help with {{ goal }}. ${'W'.repeat(90)}`)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
}

for (const [of, dialogs] of Object.entries(DIALOGS)) {
  test(`no action in a dialog of ${of} is cut off at any width`, async ({ page, signedIn }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' })
    const { tenant, task } = await makeWorld(signedIn, `${NAME} ${of.slice(0, 3)}`)
    for (const text of [of, 'W'.repeat(90)])
      await callApi(page, 'PUT', 'prompts/templates/general', { template: `Help with {{ goal }}: ${text}` })
    for (const [address, title, open] of dialogs) {
      await page.goto(address === KEYS ? KEYS + tenant : address === '/tasks/' ? `/tasks/${task}` : address)
      // A page without its data may not listen to keys yet.
      await untilLoaded(page)
      await open(page)
      await expect(page.getByRole('dialog', { name: title })).toBeVisible()
      await expectNothingCutOff(page, String(title))
    }
  })
}

/** The font of the console, and a wide one of the system. */
const FONTS = ['Inter Variable', 'DejaVu Sans']

test('at 1280 and 1440 pixels every list has its columns, and no cell is cut', async ({ signedIn: page }) => {
  const { tenant, task: taskId } = await makeWorld(page, `${NAME} C`)
  await runNow(page, taskId)
  await callApi(page, 'POST', 'tokens', { name: 'Export for the data warehouse', scopes: ['read'] })
  const user = ['Email', 'Role', 'Status', 'Created At']
  const task = ['Task', 'Frequency', 'Last Run', 'Next Run', 'Created At']
  const key = ['Key', 'Status', 'Allowed origins', 'Calls, 7 days', 'Last used', 'Created', 'Expires']
  for (const [address, table, heads] of [
    ['/tenants', 'Tenants', ['Name', 'Subdomain', 'Type', 'Status', 'Created', 'Admins']],
    ['/users', 'Users', [...user, 'Tenant']],
    [`/tenants/${tenant}/users`, 'Users', user],
    ['/tasks', 'Tasks', [...task, 'Tenant']],
    [`/tenants/${tenant}/tasks`, 'Tasks', task],
    ['/keys', 'API Keys', key],
    ['/keys?view=all', 'API Keys', key],
    [`/tenants/${tenant}/keys`, 'API Keys', key],
    [`/keys?q=longnamed&open=${tenant}`, 'API Keys', key],
    ['/tasks/runs', 'Runs', ['Task', 'Started', 'Tenant', 'Status', 'Result', 'Duration']],
    ['/settings/activity', 'Activity', ['What', 'Who', 'When']],
    ['/settings/team', 'Team', ['Email', 'Role', 'Status', 'Last sign-in']],
    ['/settings/tokens', 'Tokens', ['Name', 'Access', 'Expires', 'Last used', 'Status']],
    ['/', 'Tenant Health Overview', ['Tenant', 'Status', 'Admin Count']],
  ] as const) {
    await page.setViewportSize({ width: 1280, height: 900 })
    await page.goto(address)
    const head = page.getByRole('table', { name: table }).getByRole('columnheader')
    await expect(head.first()).toBeVisible()
    for (const name of heads)
      await expect(head.filter({ hasText: name }).first(), `${name} of ${address}`).toBeVisible()
    // The name of the record keeps room for some words.
    const name = head.filter({ hasText: heads[0] }).first()
    expect((await name.boundingBox())?.width, address).toBeGreaterThan(130)
    expect(await cutOff(page), address).toEqual([])
    for (const font of FONTS) {
      await page.evaluate((family) => document.documentElement.style.setProperty('--font', `'${family}'`), font)
      for (const width of [1280, 1440]) {
        await page.setViewportSize({ width, height: 900 })
        expect.soft(await cutCells(page), `${address} at ${width} pixels in ${font}`).toEqual([])
      }
    }
  }
})
