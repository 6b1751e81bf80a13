import type { Page } from '@playwright/test'
import { deleteMonth } from '@switchboard/database/audit/deleted-months.queries'
import { connect } from '@switchboard/database/connection/connect'
import { urlOfRunning } from '@switchboard/embedded-postgres/embedded-postgres'
import { sql } from 'kysely'
import { callApi, expect, expectAccessible, expectNoSidewaysScroll, test } from './fixtures.ts'
import { makeTask, runNow } from './task-records.ts'
import { chooseAction, idOf, makeTenant, makeUser } from './tenant-keys.ts'
import { chooseListAction, filterButton, filterChip, rowsOf, setFilter, tableOf } from './tables.ts'

const rows = (page: Page) => rowsOf(page, 'Activity')
const what = (page: Page, text: string | RegExp) =>
  tableOf(page, 'Activity').getByRole('link', { name: text, exact: true })

test('actions are filtered by actor, action, tenant, outcome and day, all in the address', async ({
  signedIn: page,
}) => {
  const id = await makeTenant(page, 'Lighthouse Press')
  await callApi(page, 'PUT', `tenants/${id}`, { goal: 'sell books' })
  await page.goto('/settings')
  await page.getByRole('complementary').getByRole('link', { name: 'Activity' }).click()
  await expect(page).toHaveTitle('Activity · Switchboard')
  await expect(what(page, 'Changed the goal of tenant Lighthouse Press')).toBeVisible()
  await expect(what(page, 'Created the tenant Lighthouse Press')).toBeVisible()

  await filterButton(page).click()
  await page.getByRole('option', { name: 'Tenant', exact: true }).click()
  await page.keyboard.type('Lighthouse')
  await page.getByRole('option', { name: /Lighthouse Press/ }).click()
  await expect(rows(page)).toHaveCount(2)
  await setFilter(page, 'Action', 'Changed tenant')
  await expect(rows(page)).toHaveCount(1)
  await setFilter(page, 'Who', 'ada@switchboard.example')
  await expect(rows(page)).toHaveCount(1)
  const today = new Date().toISOString().slice(0, 10)
  await setFilter(page, 'When', 'Today')
  await expect(page).toHaveURL(new RegExp(`tenant_id=${id}.*action=tenants.update.*actor=.*from=${today}`))
  await page.reload()
  await expect(rows(page)).toHaveCount(1)
  await chooseListAction(page, 'Export')
  const download = page.waitForEvent('download')
  await page.getByRole('dialog', { name: 'Export Activity' }).getByRole('button', { name: 'Export' }).click()
  expect((await download).suggestedFilename()).toBe(`activity-${today}.csv`)
  await expect(page.getByText(/was downloaded with 1 row\./)).toBeVisible()
  await setFilter(page, 'Outcome', 'Refused')
  await expect(page.getByText('No rows match.')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Clear Filters' }).click()
  await expect(what(page, 'Signed in').first()).toBeVisible()
})

test('a row opens with its fields before and after, from the keyboard, and has an address', async ({
  signedIn: page,
}) => {
  const id = await makeTenant(page, 'Beacon Tutors')
  const goal = `Book a lesson. ${'Ask what they want to learn. '.repeat(60)}`
  await callApi(page, 'PUT', `tenants/${id}`, { goal, status: 'inactive' })
  await page.goto(`/settings/activity?tenant_id=${id}`)
  const sentence = 'Suspended the tenant Beacon Tutors'
  await what(page, sentence).focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: sentence })
  const changes = dialog.getByRole('table', { name: 'Changes' })
  await expect(changes.getByRole('row', { name: /^status/ })).toHaveText('statusactiveinactive')
  await expect(changes.getByRole('region', { name: 'goal after' })).toHaveText(goal)
  for (const term of ['tenants.update', 'ada@switchboard.example', id, '127.0.0.1'])
    await expect(dialog.getByText(term, { exact: true })).toBeVisible()
  await expect(dialog.getByText(/^[\da-f]{64}$/)).toHaveCount(2)
  await expectAccessible(page)

  await page.reload()
  await expect(dialog).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(page).toHaveURL(`/settings/activity?tenant_id=${id}`)
})

test('the history of a task tells how the runs that a person has started ended', async ({ signedIn: page }) => {
  const task = await makeTask(page, 'Pier Nine', { placeId: 'no-place-of-google' })
  await runNow(page, task)
  await page.goto(`/settings/activity?target_id=${task}`)
  await what(page, /^Ended a failed run of the task \S+ for Pier Nine$/).click()
  const dialog = page.getByRole('dialog', { name: /^Ended a failed run/ })
  await expect(dialog).toContainText('Task worker')
  await expect(dialog).toContainText('This place ID is malformed. Generate it again.')
  const changes = dialog.getByRole('table', { name: 'Changes' })
  await expect(changes.getByRole('row', { name: /^trigger/ })).toHaveText('trigger(none)manual')
  await expect(changes.getByRole('row', { name: /^run ID/ })).toBeVisible()
  await expectAccessible(page)
})

test('each record links to its own history, which remains after a deletion', async ({ signedIn: page }) => {
  await makeTask(page, 'Fjord Garage')
  await page.goto('/tasks?q=Fjord')
  await chooseAction(page, 'History', /^More actions for .* for Fjord Garage$/)
  const scheduled = /^Scheduled the task \S+ for Fjord Garage$/
  await expect(what(page, scheduled)).toBeVisible()
  await expect(rows(page)).toHaveCount(1)

  await page.goto('/tenants?q=Fjord')
  await chooseAction(page, 'History', 'Fjord Garage')
  await expect(what(page, 'Created the tenant Fjord Garage')).toBeVisible()
  const history = page.url()
  const tenant_id = new URL(history).searchParams.get('tenant_id') ?? ''
  const key = await callApi(page, 'POST', 'api-keys', { tenant_id, name: 'Shop' })
  await makeUser(page, tenant_id, 'fay@fjord.example')

  await page.goto(`/keys?tenant_id=${tenant_id}`)
  await chooseAction(page, 'History', 'Shop')
  await expect(what(page, 'Generated the API key Shop')).toBeVisible()
  await expect(page).toHaveURL(new RegExp(idOf(key)))
  await page.goto('/users?q=fay@')
  await chooseAction(page, 'History', 'fay@fjord.example')
  await expect(what(page, 'Created the user fay@fjord.example')).toBeVisible()
  await page.goto('/advanced-settings')
  await page.getByRole('link', { name: 'View publishing activity' }).click()
  await expect(page).toHaveURL('/settings/activity?target_type=prompt')

  await callApi(page, 'DELETE', `tenants/${tenant_id}`)
  await page.goto(history)
  for (const sentence of [
    'Deleted the tenant Fjord Garage',
    'Created the user fay@fjord.example',
    'Generated the API key Shop',
    scheduled,
    'Created the tenant Fjord Garage',
  ])
    await expect(what(page, sentence)).toBeVisible()
  await expect(filterChip(page, 'Tenant Fjord Garage')).toBeVisible()

  await page.goto(`/settings/activity?target_type=api_key&target_id=${idOf(key)}`)
  await filterChip(page, 'API key Shop').click()
  await expect(page).toHaveURL('/settings/activity')
})

test.describe('the chain', () => {
  // Both change the first row of the log.
  test.describe.configure({ mode: 'default' })

  test('is verified, compared with a noted checkpoint, and shown as broken after a changed row', async ({
    signedIn: page,
    server,
  }) => {
    await page.goto('/settings/activity')
    await page.getByRole('button', { name: 'Verify Chain' }).click()
    const dialog = page.getByRole('dialog', { name: 'Verify Chain' })
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Verify' }).click()
    await expect(dialog.getByText(/^Log intact: \d+ rows verified\.$/)).toBeVisible()
    const end = (await dialog.locator('code').textContent()) ?? ''
    expect(end).toMatch(/^\d+:[\da-f]{64}$/)
    await expectAccessible(page)

    const noted = dialog.getByLabel('Earlier checkpoint (optional)')
    await noted.fill('yesterday')
    await dialog.getByRole('button', { name: 'Verify' }).click()
    await expect(dialog.getByText(/A checkpoint is a row number, a colon and 64 hexadecimal digits/)).toBeVisible()
    await noted.fill(`1:${'ab'.repeat(32)}`)
    await dialog.getByRole('button', { name: 'Verify' }).click()
    await expect(dialog.getByText('The chain is broken. Row 1 differs from the noted row.')).toBeVisible()
    await noted.fill(end)
    await dialog.getByRole('button', { name: 'Verify' }).click()
    await expect(dialog.getByText(/^Log intact/)).toBeVisible()

    // As a malicious owner of the database, with a rollback for the next tests.
    const db = connect(urlOfRunning(server.dataDir) ?? '')
    const change = async (address: string | null) => {
      await sql`alter table audit_log disable trigger user`.execute(db)
      await sql`update audit_log set address = ${address} where seq = 1`.execute(db)
      await sql`alter table audit_log enable trigger user`.execute(db)
    }
    const { address } = await db
      .selectFrom('audit_log')
      .select('address')
      .where('seq', '=', 1)
      .executeTakeFirstOrThrow()
    await change('203.0.113.9')
    try {
      await noted.fill('')
      await dialog.getByRole('button', { name: 'Verify' }).click()
      await expect(dialog.getByText('The chain is broken. The chain breaks at row 1.')).toBeVisible()
      await expectAccessible(page)
      await dialog.getByRole('link', { name: 'Look at row 1' }).click()
      await expect(page).toHaveURL('/settings/activity?row=1')
    } finally {
      await change(address)
      await db.destroy()
    }
  })

  test('continues after deleted rows, which are named below the oldest row, in the export and in the check of the chain', async ({
    signedIn: page,
    server,
  }) => {
    const db = connect(urlOfRunning(server.dataDir) ?? '')
    await sql`create table row_1 as select * from audit_log where seq = 1`.execute(db)
    const { hash } = await db.selectFrom('audit_log').select('hash').where('seq', '=', 1).executeTakeFirstOrThrow()
    const end = { seq: 1, hash: hash.toString('hex') }
    const month = {
      month: '2020-01',
      first_seq: 1,
      last_seq: end.seq,
      hash_before: '0'.repeat(64),
      hash_after: end.hash,
    }
    await db.transaction().execute((trx) => deleteMonth(trx, month))
    try {
      await page.goto('/settings/activity?sort=at')
      await expect(
        page.getByText(
          'Activity up to the end of January 2020 (UTC) was deleted here after each log sink had received it.',
        ),
      ).toBeVisible()
      await expectAccessible(page)
      await chooseListAction(page, 'Export')
      await expect(page.getByRole('dialog').getByText(/without deleted rows \(up to January 2020\)/)).toBeVisible()
      await page.getByRole('button', { name: 'Cancel' }).click()
      await page.getByRole('button', { name: 'Verify Chain' }).click()
      await page.getByLabel('Earlier checkpoint (optional)').fill(`${end.seq}:${end.hash}`)
      await page.getByRole('button', { name: 'Verify', exact: true }).click()
      await expect(page.getByText(/^Log intact: \d+ rows? verified\. Deleted before: 1 older row\.$/)).toBeVisible()
      await expect(page.getByText('The log keeps only the hash of the last deleted row of each month.')).toBeVisible()
      await expect(page.getByText('The row of the checkpoint was deleted.')).toBeVisible()
    } finally {
      // As a malicious owner of the database, for the next tests.
      for (const table of ['audit_log', 'audit_deleted_months'])
        await sql`alter table ${sql.id(table)} disable trigger user`.execute(db)
      await sql`insert into audit_log select * from row_1`.execute(db)
      await sql`delete from audit_deleted_months`.execute(db)
      for (const table of ['audit_log', 'audit_deleted_months'])
        await sql`alter table ${sql.id(table)} enable trigger user`.execute(db)
      await sql`drop table row_1`.execute(db)
      await db.destroy()
    }
  })
})

test('a log that cannot be loaded shows an error and loads on retry', async ({ signedIn: page, problems }) => {
  problems.expected.push(/Failed to load resource/)
  await page.route('**/api/v1/admin/audit?*', (route) => route.fulfill({ status: 422, json: { detail: 'No.' } }))
  await page.goto('/settings/activity')
  await expect(page.getByText('The activity could not be loaded')).toBeVisible()
  await page.unroute('**/api/v1/admin/audit?*')
  await page.getByRole('button', { name: 'Try Again' }).click()
  await expect(what(page, 'Signed in').first()).toBeVisible()
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 360, height: 780 } })

  test('the log is a list of expandable two-line rows, without horizontal scrolling', async ({ signedIn: page }) => {
    const id = await makeTenant(page, 'Phone Bakery')
    await callApi(page, 'PUT', `tenants/${id}`, { goal: 'x'.repeat(400), aggressiveness: 9.5 })
    await page.goto('/settings/activity')
    const list = page.getByRole('list', { name: 'Activity' })
    await list.getByRole('link', { name: 'Changed the goal and aggressiveness of tenant Phone Bakery' }).first().click()
    await expect(page.getByRole('dialog').getByRole('table', { name: 'Changes' })).toBeVisible()
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
    await page.getByRole('button', { name: 'Close' }).last().click()
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
  })
})

test('a recent deletion can be undone once from its row', async ({ signedIn: page }) => {
  const tenant_id = await makeTenant(page, 'Second Thought Works')
  const email = 'nan@second-thought.example'
  const userId = await makeUser(page, tenant_id, email)
  const keyId = idOf(await callApi(page, 'POST', 'api-keys', { tenant_id, name: 'Thoughtful' }))
  await callApi(page, 'DELETE', `tenant-admins/${userId}`)
  await callApi(page, 'DELETE', `api-keys/${keyId}`)

  await page.goto(`/tenants/${tenant_id}/activity`)
  const restore = (name: string) => page.getByRole('button', { name: `Restore ${name}` })
  await expect(page.getByRole('button', { name: /^Restore / })).toHaveCount(2)
  await expectAccessible(page)
  await restore(email).click()
  await expect(page.getByText(`${email} was restored.`)).toBeVisible()
  await expect(restore(email)).toHaveCount(0)
  await page.goto(`/users?q=${email}`)
  await expect(rowsOf(page, 'Users')).toHaveCount(1)

  await page.goto(`/settings/activity?target_id=${keyId}`)
  await what(page, 'Deleted the API key Thoughtful').click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Restore Thoughtful' }).click()
  await expect(page.getByText('Thoughtful was restored.')).toBeVisible()
  await expect(dialog.getByRole('button', { name: /^Restore/ })).toHaveCount(0)
  expect(idOf(await callApi(page, 'GET', `api-keys/${keyId}/diagnosis`).then((answer) => Object(answer).key))).toBe(
    keyId,
  )

  await page.setViewportSize({ width: 390, height: 800 })
  await callApi(page, 'DELETE', `api-keys/${keyId}`)
  await page.goto(`/settings/activity?target_id=${keyId}`)
  await expect(restore('Thoughtful')).toBeVisible()
  await expectNoSidewaysScroll(page)
  // After 30 days, nothing can be restored.
  // The stream has no end to wait for.
  await page.route(/\/api\/v1\/(?!admin\/events)/, async (route) => {
    const answer = await route.fetch()
    const date = new Date(Date.now() + 31 * 86_400_000).toUTCString()
    await route.fulfill({ response: answer, headers: { ...answer.headers(), date } })
  })
  await page.reload()
  await expect(page.getByText('Deleted the API key').first()).toBeVisible()
  await expect(restore('Thoughtful')).toHaveCount(0)
  await page.unrouteAll({ behavior: 'wait' })
})
