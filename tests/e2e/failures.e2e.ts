import type { Page } from '@playwright/test'
import { callApi, expect, test } from './fixtures.ts'
import { makeTask, row as taskRow } from './task-records.ts'
import { chooseAction, closeSecret, makeTenant } from './tenant-keys.ts'

const alert = (page: Page) => page.getByRole('alert')

test.beforeEach(({ problems }) => {
  problems.expected.push(/status of (401|403|404|500)/)
})

for (const path of ['/tenants', '/users', '/tasks', '/']) {
  test(`a refused list of ${path} is sent once, and says why`, async ({ signedIn: page }) => {
    await page.goto('/settings')
    await expect(page.getByRole('heading', { name: 'Admin Settings' })).toBeVisible()
    const sent: string[] = []
    await page.route(/\/api\/v1\/admin\/(tenants|tenant-admins|tasks|analytics\/users)(\?|$)/, (route) => {
      sent.push(new URL(route.request().url()).pathname)
      return route.fulfill({ status: 403, json: { detail: 'Not for you.' } })
    })
    await page.goto(path)
    await expect(alert(page)).toContainText('Not for you.')
    await expect(page.getByRole('complementary').getByRole('link', { name: 'Dashboard' })).toBeVisible()
    expect(sent).toHaveLength(1)
  })
}

test('the cause follows the sentence when the server gives no reason', async ({ signedIn: page }) => {
  await makeTenant(page, 'Reasonless Works')
  await page.goto('/users/create')
  await page.getByLabel('Email Address').fill('ben@reasonless.example')
  await page.getByLabel('Password', { exact: true }).fill('seven green bicycles rest')
  await expect(page.getByRole('combobox', { name: 'Tenant' })).not.toHaveValue('')
  await page.route('**/tenant-admins', (route) => route.fulfill({ status: 500, body: '' }))
  await page.getByRole('button', { name: 'Create User' }).click()
  await expect(alert(page)).toHaveText('Failed to create user. Please try again. (HTTP 500: Internal Server Error)')

  await page.goto('/tenants/create')
  await page.getByLabel('Tenant Name').fill('Unreadable Works')
  await page.getByLabel('Subdomain').fill('unreadable-works')
  await page.route('**/api/v1/admin/tenants', (route) => route.fulfill({ status: 201, body: '<html>' }))
  await page.getByRole('button', { name: 'Create Tenant' }).click()
  await expect(alert(page)).toHaveText(
    'Failed to create tenant (The server gave an answer that this console does not understand.)',
  )
})

test('the reasons of two failed calls are joined', async ({ signedIn: page }) => {
  await page.route('**/prompts/types', (route) => route.fulfill({ status: 403, json: { detail: 'No types.' } }))
  await page.route('**/prompts/templates', (route) => route.fulfill({ status: 404, body: '' }))
  await page.goto('/advanced-settings')
  await expect(alert(page)).toContainText('Unable to load prompt configuration')
  await expect(alert(page)).toContainText('No types.; An error occurred (HTTP 404: Not Found)')
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Try Again' }).click()
  await expect(page.getByLabel('Template', { exact: true })).toBeVisible()
})

test('the template is shown for the prompt type of the server only', async ({ signedIn: page }) => {
  await page.route('**/prompts/types', (route) => route.fulfill({ json: { prompt_types: ['other'] } }))
  await page.goto('/advanced-settings')
  await expect(page.getByText('No template found')).toBeVisible()
  await page.unrouteAll()
  const types = page.waitForRequest('**/prompts/types')
  await page.reload()
  await types
  await expect(page.getByLabel('Template', { exact: true })).toBeVisible()
})

test('a key is generated for a tenant chosen in the dialog', async ({ signedIn: page }) => {
  await makeTenant(page, 'Chosen Works')
  await page.goto('/keys')
  // The empty list has a second button.
  await page.getByRole('button', { name: 'Generate Key', exact: true }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Generate API Key' })
  await dialog.getByRole('button', { name: 'Generate Key' }).click()
  await expect(dialog.getByText('No tenant selected.')).toBeVisible()
  const tenant = dialog.getByRole('combobox', { name: 'Tenant' })
  await tenant.fill('chosen w')
  const options = page.getByRole('listbox', { name: 'Tenant' })
  await expect(options.getByRole('option')).toHaveCount(1)
  // Escape closes the options, and the dialog stays open.
  await page.keyboard.press('Escape')
  await expect(options).toHaveCount(0)
  await tenant.fill('chosen w')
  await page.getByRole('option', { name: /Chosen Works/ }).click()
  await expect(dialog.getByText('No tenant selected.')).toHaveCount(0)
  await dialog.getByRole('button', { name: 'Generate Key' }).click()
  await closeSecret(page)
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.goto('/keys?q=chosen')
  await expect(page.getByText('1 key · 1 active')).toBeVisible()
})

for (const [answer, sentence] of [
  [{ status: 'success' }, 'Task "Pull Google Review" executed successfully!'],
  [{ result: { execution_status: 'executed' } }, 'Task "Pull Google Review" executed successfully!'],
  [{ success: false, message: 'The place has closed.' }, 'The place has closed.'],
  [{ result: { status: 'error' } }, 'Task execution failed'],
] as const) {
  test(`the answer ${JSON.stringify(answer)} of a run is understood`, async ({ signedIn: page }) => {
    const name = `Answer ${JSON.stringify(answer).length}`
    await makeTask(page, name, { placeId: 'ChIJ-answer-of-a-run' })
    await page.goto(`/tasks?q=${encodeURIComponent(name)}`)
    await page.route('**/tasks/*/run', (route) => route.fulfill({ json: answer }))
    await chooseAction(taskRow(page, name), 'Run task now')
    await expect(page.getByText(sentence)).toBeVisible()
  })
}

test('an unwrapped result of a run is accepted', async ({ signedIn: page }) => {
  await makeTask(page, 'Unwrapped Works')
  await page.goto('/tasks?q=Unwrapped')
  const result = { status: 'success', success: true, execution_status: 'executed', message: '' }
  await page.route('**/tasks/*/run', (route) =>
    route.fulfill({ json: { ...result, run_id: '00000000-0000-4000-8000-000000000000' } }),
  )
  await chooseAction(taskRow(page, 'Unwrapped Works'), 'Run task now')
  await expect(page.getByText('Task "Pull Google Review" executed successfully!')).toBeVisible()
})

test('a task schedule has to be chosen and cannot be un-chosen', async ({ signedIn: page }) => {
  await callApi(page, 'GET', 'tasks')
  await page.goto('/tasks/create')
  await expect(page.getByRole('option', { name: 'Choose a task' })).toBeDisabled()
})
