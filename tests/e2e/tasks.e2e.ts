import { callApi, expect, expectAccessible, test } from './fixtures.ts'
import { holdAnswers } from './held-answers.ts'
import { makeTask, row } from './task-records.ts'
import { chooseAction, makeTenant } from './tenant-keys.ts'

test('a place is looked up, its reviews are scheduled, pulled now and read, and the task is deleted', async ({
  onDashboard: page,
}) => {
  await makeTenant(page, 'Juniper Chain')
  await page.getByRole('complementary').getByRole('link', { name: 'Tasks' }).click()
  await expect(page).toHaveTitle('Tasks · Switchboard')
  await expect(page.getByText('Sample maps data')).toBeVisible()
  await page.getByRole('link', { name: 'New Task' }).first().click()
  await expect(page).toHaveURL('/tasks/create')
  await page.getByLabel('Task Schedule').selectOption('Pull Google Review')
  await page.getByLabel('Frequency').selectOption('Bi-Weekly')
  await expect(page.getByLabel('Frequency')).toHaveAccessibleDescription(
    /Next run .+\. About 2 calls to Google a month/,
  )
  await page.getByRole('button', { name: 'At a Fixed Time…' }).click()
  await page.getByLabel('Time of day').selectOption('09:30')
  await expect(page.getByLabel('Time zone')).toHaveValue('UTC')
  await page.getByLabel('Time zone').selectOption('Asia/Tokyo')
  await expect(page.getByLabel('Frequency')).toHaveAccessibleDescription(/Next run .*, 09:30 \(Asia\/Tokyo\)\./)
  const tenant = page.getByRole('combobox', { name: 'Tenant' })
  await tenant.fill('Juniper')
  await page.getByRole('option', { name: 'Juniper Chain' }).click()

  await page.getByRole('button', { name: 'Generate Place ID' }).click()
  const dialog = page.getByRole('dialog', { name: 'Generate Place ID' })
  await expect(dialog.getByLabel('Business/Tenant Name')).toHaveValue('Juniper Chain')
  await dialog.getByLabel('City').fill('Austin')
  await dialog.getByRole('combobox', { name: 'Country' }).fill('united st')
  await dialog.getByRole('option', { name: 'United States' }).click()
  await dialog.getByRole('button', { name: 'Generate', exact: true }).click()
  await dialog.getByRole('radio', { name: /Juniper Chain Riverside/ }).check()
  await dialog.getByRole('button', { name: 'Use This Place' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(page.getByLabel('Google Place ID')).not.toHaveValue('')
  await expect(page.getByLabel('Google Place ID')).toHaveAccessibleDescription(/Juniper Chain Riverside .*Austin/)
  await page.getByRole('button', { name: 'Create Task' }).click()

  await expect(page).toHaveURL('/tasks')
  const made = row(page, 'Juniper Chain')
  await expect(made).toContainText('Bi-Weekly')
  await expect(made).toContainText('N/A')
  await chooseAction(made, 'Run task now')
  await expect(page.getByText('Task "Pull Google Review" executed successfully!')).toBeVisible()
  await expect(made).not.toContainText('N/A')
  // A task that has run is run again on its own page.
  await made.getByRole('button', { name: /^More actions/ }).click()
  await expect(page.getByRole('menuitem')).toHaveText([/^History/, /^Delete/])
  await page.keyboard.press('Escape')

  await expect(made).toContainText('On schedule')
  await made.getByRole('link', { name: 'Juniper Chain Riverside' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Juniper Chain Riverside, /)
  await expect(page.getByText('Pull Google Review for Juniper Chain. Bi-Weekly at 09:30, Asia/Tokyo')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Schedule' })).toContainText('Bi-Weekly at 09:30, Asia/Tokyo')
  await expect(page.getByText('Juniper Chain Riverside', { exact: true })).toBeVisible()
  const runs = page.getByRole('table', { name: 'Runs' }).getByRole('row')
  await expect(runs).toHaveCount(2)
  const run = runs.nth(1)
  await expect(run).toContainText('Manual, ada@switchboard.example')
  await expect(run).toContainText('Succeeded')
  await expect(run).toContainText(/\d reviews: \d new(?!, )/)
  await expect(page.getByText('Google returns at most 5 reviews of a place')).toBeVisible()
  const review = page.getByRole('list', { name: 'Reviews' }).getByRole('listitem').first()
  await expect(review).toContainText('out of 5 stars')
  await expect(review.getByRole('link', { name: /on Google Maps/ })).toHaveAttribute('rel', 'noopener noreferrer')

  await page.getByRole('button', { name: 'Run again' }).click()
  await expect(runs).toHaveCount(3)
  // A run that is deleted with its task is a 404 for the call that waits for it.
  await expect(run).toContainText('Succeeded')
  await chooseAction(page, 'Delete', /^More actions for Juniper Chain Riverside/)
  const confirm = page.getByRole('dialog', { name: 'Delete Task' })
  await expect(confirm).toContainText('You can undo this for 10 seconds.')
  await confirm.getByRole('button', { name: 'Delete' }).click()
  await expect(page).toHaveURL('/tasks')
  await expect(row(page, 'Juniper Chain')).toHaveCount(0)
})

test('a second task for the same place is refused at its field, with a link to the first', async ({
  signedIn: page,
  problems,
}) => {
  problems.expected.push(/status of 409/)
  const task = await makeTask(page, 'Hazel Twice', { placeId: 'ChIJhazel' })
  await page.goto('/tasks/create')
  await page.getByLabel('Task Schedule').selectOption('Pull Google Review')
  await page.getByLabel('Frequency').selectOption('Daily')
  await page.getByRole('combobox', { name: 'Tenant' }).fill('Hazel')
  await page.getByRole('option', { name: 'Hazel Twice' }).click()
  const field = page.getByLabel('Google Place ID')
  await field.fill('ChIJhazel')
  await page.getByRole('button', { name: 'Create Task' }).click()
  const sentence = 'Hazel Twice already has a weekly task for this place.'
  await expect(field).toHaveAccessibleDescription(new RegExp(sentence))
  await expect(page.getByText(sentence)).toHaveCount(1)
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Open that task' }).click()
  await expect(page).toHaveURL(`/tasks/${task}`)
})

test('a failed run shows its reason in the list and on its page, and can be repeated', async ({ signedIn: page }) => {
  await makeTask(page, 'Faulty Works', { placeId: 'no-place-of-google' })
  await page.goto('/tasks?q=Faulty')
  await chooseAction(row(page, 'Faulty Works'), 'Run task now')
  const notifications = page.getByRole('region', { name: 'Notifications' })
  await expect(notifications).toContainText('place ID')
  await expect(notifications).not.toContainText('successfully')
  await expect(row(page, 'Faulty Works')).toContainText('Failed')
  // A failed first run keeps the action.
  await row(page, 'Faulty Works')
    .getByRole('button', { name: /^More actions/ })
    .click()
  await expect(page.getByRole('menuitem', { name: 'Run task now' })).toBeVisible()
  await page.keyboard.press('Escape')
  await row(page, 'Faulty Works').getByRole('link', { name: 'no-pla…google' }).click()
  await expect(page.getByRole('table', { name: 'Runs' }).getByRole('row').nth(1)).toContainText(/Failed.*place ID/)
  const state = page.getByRole('region', { name: 'State' })
  await expect(state).toContainText('The last run failed: This place ID is malformed. Generate it again.')
  await expect(page.getByRole('button', { name: 'Run task now' })).toBeEnabled()
  await expectAccessible(page)
  await state.getByRole('button', { name: 'Generate Place ID' }).click()
  await expect(page.getByRole('dialog', { name: 'Generate Place ID' })).toBeVisible()
})

test('a double click runs a task once, and reports no failure', async ({ signedIn: page }) => {
  const id = await makeTask(page, 'Doubled Works')
  const runs: string[] = []
  page.on('request', (request) => request.url().endsWith(`/tasks/${id}/run`) && runs.push(request.method()))
  await page.goto(`/tasks/${id}`)
  await page.getByRole('button', { name: 'Run task now' }).dblclick()
  const notifications = page.getByRole('region', { name: 'Notifications' })
  await expect(notifications).toContainText('Task "Pull Google Review" executed successfully!')
  await expect(notifications).not.toContainText('already running')
  expect(runs).toEqual(['POST'])
})

test('a run that cannot be started is reported with its reason', async ({ signedIn: page, problems }) => {
  problems.expected.push(/status of 502/)
  await makeTask(page, 'Unheard Works')
  await page.goto('/tasks?q=Unheard')
  const calls: string[] = []
  page.on('request', (request) => calls.push(`${request.method()} ${new URL(request.url()).pathname}`))
  let sent: unknown = null
  await page.route('**/api/v1/admin/tasks/*/run', async (route) => {
    sent = route.request().postDataJSON()
    await expect(row(page, 'Unheard Works')).toContainText('Running')
    await route.fulfill({ status: 502, json: { detail: 'The AI API cannot be reached.' } })
  })
  await chooseAction(row(page, 'Unheard Works'), 'Run task now')
  await expect(page.getByText('Failed to run task: The AI API cannot be reached.')).toBeVisible()
  // The console fetches the signed-in admin just before the run.
  expect(calls.findIndex((call) => call === 'GET /api/v1/admin/auth/me')).toBeGreaterThanOrEqual(0)
  expect(calls.findIndex((call) => call === 'GET /api/v1/admin/auth/me')).toBeLessThan(
    calls.findIndex((call) => call.endsWith('/run')),
  )
  expect(sent).toMatchObject({ task_id: expect.any(String), super_admin_id: expect.any(String) })
  await expect(row(page, 'Unheard Works')).not.toContainText('Running')
  await page.unroute('**/api/v1/admin/tasks/*/run')
  await page.getByRole('button', { name: 'Try Again' }).click()
  await expect(page.getByText('executed successfully!')).toBeVisible({ timeout: 20_000 })
  await expect(page.getByText('Failed to run task')).toHaveCount(0)
})

test('a task is paused, resumed, and given another frequency, place and time', async ({ signedIn: page, problems }) => {
  problems.expected.push(/ERR_FAILED/, /status of 412/)
  const id = await makeTask(page, 'Restful Works')
  await page.goto(`/tasks/${id}`)
  await page.getByRole('button', { name: /^Pause / }).click()
  await expect(page.getByText('Paused by an admin.')).toBeVisible()
  await page.getByRole('link', { name: 'Tasks', exact: true }).first().click()
  await page.goto('/tasks?q=Restful&state=paused')
  await expect(row(page, 'Restful Works')).toContainText('Paused')
  await page.goto(`/tasks/${id}`)
  await page.getByRole('button', { name: /^Resume / }).click()
  await expect(page.getByText('Paused by an admin.')).toHaveCount(0)
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()

  const notifications = page.getByRole('region', { name: 'Notifications' })
  await expect(notifications).toContainText(/for Restful Works was resumed\. Next run: \w+ \d+( days)?\./)
  await page.keyboard.press('z')
  await expect(notifications).toContainText('for Restful Works was paused. It does not run until it is resumed.')
  await page.route(`**/tasks/${id}`, (route) => (route.request().method() === 'PUT' ? route.abort() : route.fallback()))
  await page.getByRole('button', { name: /^Resume / }).click()
  await expect(notifications).toContainText('for Restful Works could not be resumed. (The server is up, but this call')
  await page.unroute(`**/tasks/${id}`)
  await notifications.getByRole('button', { name: 'Try Again' }).click()
  await expect(notifications).toContainText('for Restful Works was resumed.')
  await page.keyboard.press('z')
  await expect(page.getByText('Paused by an admin.')).toBeVisible()

  await page.getByRole('button', { name: /^Edit / }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit Task' })
  await dialog.getByLabel('Frequency').selectOption('Daily')
  await dialog.getByLabel('Google Place ID').fill('')
  await dialog.getByRole('button', { name: 'Save Changes' }).click()
  await expect(dialog.getByLabel('Google Place ID')).toHaveAccessibleDescription(/Enter a Google Place ID/)
  await dialog.getByLabel('Google Place ID').fill('ChIJanother-place')
  await dialog.getByRole('button', { name: 'Save Changes' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(page.getByText('ChIJanother-place')).toBeVisible()
  await expect(page.getByText(/^Daily\. About 30 calls/)).toBeVisible()

  await page.getByRole('button', { name: /^Edit / }).click()
  await dialog.getByRole('button', { name: 'At a Fixed Time…' }).click()
  await expect(dialog.getByLabel('Time of day')).toBeFocused()
  await dialog.getByLabel('Time of day').selectOption('18:00')
  await callApi(page, 'PUT', `tasks/${id}`, { run_time: '07:45', time_zone: 'Europe/Berlin' })
  await dialog.getByRole('button', { name: 'Save Changes' }).click()
  await expect(dialog.getByRole('row', { name: 'Time of day' })).toHaveText('Time of day07:4518:00')
  await dialog.getByRole('button', { name: 'Reload' }).click()
  await expect(dialog.getByLabel('Time of day')).toHaveValue('07:45')
  await dialog.getByLabel('Time of day').selectOption('Time of creation')
  await expect(dialog.getByLabel('Time zone')).toHaveCount(0)
  await dialog.getByRole('button', { name: 'Save Changes' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(page.getByText(/^Daily\. About 30 calls/)).toBeVisible()
})

for (const moment of ['before', 'after'] as const) {
  test(`an edit saved ${moment} the answer to another change by the same tab meets no conflict`, async ({
    signedIn: page,
  }) => {
    const id = await makeTask(page, `Hasty Works ${moment}`)
    await page.goto(`/tasks/${id}`)
    const pause = page.getByRole('button', { name: /^Pause / })
    await expect(pause).toBeVisible()
    const release = await holdAnswers(page, `**/tasks/${id}`)
    await pause.click()
    await page.getByRole('button', { name: /^Edit / }).click()
    const dialog = page.getByRole('dialog', { name: 'Edit Task' })
    await dialog.getByLabel('Frequency').selectOption('Daily')
    if (moment === 'before') {
      await dialog.getByRole('button', { name: 'Save Changes' }).click()
      release()
    } else {
      release()
      await expect(page.getByText('Paused by an admin.')).toBeVisible()
      await dialog.getByRole('button', { name: 'Save Changes' }).click()
    }
    await expect(dialog).toHaveCount(0)
    await expect(page.getByText('Paused by an admin.')).toBeVisible()
    await expect(page.getByText(/^Daily\. About 30 calls/)).toBeVisible()
  })
}

for (const choice of ['Reload', 'Keep Mine'] as const) {
  test(`after another admin's change of the task, "${choice}" is offered and works`, async ({
    signedIn: page,
    problems,
  }) => {
    problems.expected.push(/status of 412/)
    const id = await makeTask(page, `Disputed ${choice}`)
    await page.goto(`/tasks/${id}`)
    await page.getByRole('button', { name: /^Edit / }).click()
    const dialog = page.getByRole('dialog', { name: 'Edit Task' })
    await dialog.getByLabel('Frequency').selectOption('Daily')
    await callApi(page, 'PUT', `tasks/${id}`, { frequency: 'monthly' })
    await dialog.getByRole('button', { name: 'Save Changes' }).click()
    await expect(dialog.getByText(/^You, .* changed this task/)).toBeVisible()
    await expect(dialog.getByRole('row').last()).toHaveText('FrequencyMonthlyDaily')
    await dialog.getByRole('button', { name: choice }).click()
    if (choice === 'Reload') {
      await expect(dialog.getByLabel('Frequency')).toHaveValue('monthly')
    } else {
      await expect(dialog).toHaveCount(0)
      await expect(page.getByText(/^Daily\. /)).toBeVisible()
    }
  })
}

test('a conflict is still shown after a place look-up in between', async ({ signedIn: page, problems }) => {
  problems.expected.push(/status of 412/)
  const id = await makeTask(page, 'Disputed Place')
  await page.goto(`/tasks/${id}`)
  await page.getByRole('button', { name: /^Edit / }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit Task' })
  await dialog.getByLabel('Frequency').selectOption('Daily')
  await callApi(page, 'PUT', `tasks/${id}`, { frequency: 'monthly' })
  const held = Promise.withResolvers<void>()
  await page.route(`**/api/v1/admin/tasks/${id}`, async (route) => {
    await held.promise
    await route.continue()
  })
  await dialog.getByRole('button', { name: 'Save Changes' }).click()
  // Nothing covers the answer.
  await expect(dialog.getByRole('button', { name: 'Generate Place ID' })).toBeDisabled()
  held.resolve()
  const notice = dialog.getByText(/^You, .* changed this task/)
  await expect(notice).toBeVisible()
  await dialog.getByRole('button', { name: 'Generate Place ID' }).click()
  const lookUp = page.getByRole('dialog', { name: 'Generate Place ID' })
  await lookUp.getByLabel('City').fill('Austin')
  await lookUp.getByRole('combobox', { name: 'Country' }).fill('united st')
  await lookUp.getByRole('option', { name: 'United States' }).click()
  await lookUp.getByLabel('Business/Tenant Name').fill('Soon Works')
  await lookUp.getByRole('button', { name: 'Generate', exact: true }).click()
  await lookUp.getByRole('button', { name: 'Use This Place' }).click()
  await expect(dialog.getByLabel('Google Place ID')).toHaveAccessibleDescription(/Soon Works/)
  await expect(dialog.getByLabel('Frequency')).toHaveValue('daily')
  await expect(notice).toBeVisible()
  await dialog.getByRole('button', { name: 'Keep Mine' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(page.getByText(/^Daily\. /)).toBeVisible()
  await expect(page.getByText('Soon Works', { exact: true })).toBeVisible()
})

test('a place is looked up again with its original query, from the page of the task', async ({ signedIn: page }) => {
  const id = await makeTask(page, 'Refound Works')
  await page.goto(`/tasks/${id}`)
  // A typed place id has no query for a look-up.
  await page.getByRole('button', { name: 'Generate Place ID' }).click()
  const lookUp = page.getByRole('dialog', { name: 'Generate Place ID' })
  const fields = () =>
    Promise.all(
      [
        lookUp.getByLabel('Business/Tenant Name'),
        lookUp.getByLabel('City'),
        lookUp.getByLabel('State (optional)'),
        lookUp.getByRole('combobox', { name: 'Country' }),
      ].map((field) => field.inputValue()),
    )
  expect(await fields()).toEqual(['Refound Works', '', '', ''])
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)

  const query = 'Acme Dental, Austin, Texas, United States'
  await callApi(page, 'PUT', `tasks/${id}`, { extra_data: { place_id: 'ChIJobsolete', query } })
  await page.reload()
  await page.getByRole('button', { name: 'Generate Place ID' }).click()
  expect(await fields()).toEqual(['Acme Dental', 'Austin', 'Texas', 'United States'])
  await lookUp.getByRole('button', { name: 'Generate', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit Task' })
  await expect(dialog.getByLabel('Google Place ID')).toHaveAccessibleDescription(/Acme Dental .*Austin/)
  // The original query is used again, even after the id was overwritten.
  await dialog.getByLabel('Google Place ID').fill('ChIJtyped')
  await dialog.getByRole('button', { name: 'Generate Place ID' }).click()
  expect(await fields()).toEqual(['Acme Dental', 'Austin', 'Texas', 'United States'])
  await lookUp.getByRole('button', { name: 'Generate', exact: true }).click()
  await dialog.getByRole('button', { name: 'Save Changes' }).click()
  await expect(page.getByText('Acme Dental', { exact: true })).toBeVisible()
  await expect(page.getByText(query, { exact: true })).toBeVisible()
})
