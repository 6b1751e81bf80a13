import { callApi, expect, expectAccessible, expectNoSidewaysScroll, test } from './fixtures.ts'
import { makeTask, row, samplePlaceId } from './task-records.ts'
import { idOf, makeTenant } from './tenant-keys.ts'
import { rowsOf, setFilter } from './tables.ts'

test('the form names missing fields, keeps the typed text after a failure, and sends nothing before', async ({
  signedIn: page,
  problems,
}) => {
  problems.expected.push(/status of 500/)
  await makeTenant(page, 'Missing Works')
  await page.goto('/tasks/create')
  let writes = 0
  page.on('request', (request) => (writes += request.method() === 'POST' ? 1 : 0))
  const create = page.getByRole('button', { name: 'Create Task' })
  await create.click()
  await expect(page.getByRole('alert')).toHaveText('Task Schedule, frequency, and tenant are required.')
  await expect(page.getByLabel('Google Place ID')).toHaveAccessibleDescription(/Enter a Google Place ID/)
  await expect(page.getByLabel('Frequency')).toHaveAttribute('aria-invalid', 'true')
  await page.getByLabel('Frequency').selectOption('Daily')
  await page.getByRole('combobox', { name: 'Tenant' }).fill('Missing')
  await page.getByRole('option', { name: 'Missing Works' }).click()
  await expect(page.getByText('Task Schedule, frequency, and tenant are required.')).toHaveCount(0)
  await page.getByLabel('Google Place ID').fill('not an id!')
  await create.click()
  await expect(page.getByLabel('Google Place ID')).toHaveAccessibleDescription(/only letters, digits/)
  expect(writes).toBe(0)

  await page.route('**/api/v1/admin/tasks/schedule', (route) => route.fulfill({ status: 500, json: {} }))
  await page.getByLabel('Google Place ID').fill('ChIJtyped-by-hand')
  await create.click()
  await expect(page.getByRole('alert')).toHaveText(
    'Failed to create task. Please try again. (HTTP 500: Internal Server Error)',
  )
  await expect(page.getByLabel('Google Place ID')).toHaveValue('ChIJtyped-by-hand')
  await expect(page.getByLabel('Frequency')).toHaveValue('daily')
})

test('search, filters and sort live in the address, and Back restores them', async ({ signedIn: page }) => {
  for (const [name, frequency] of [
    ['Sorted Alpha', 'daily'],
    ['Sorted Beta', 'monthly'],
  ] as const) {
    await makeTask(page, name, { frequency, placeId: 'ChIJsorted' })
  }
  await page.goto('/tasks')
  await page.getByLabel('Search tenant or place').fill('sorted')
  await expect(page).toHaveURL('/tasks?q=sorted')
  await expect(rowsOf(page, 'Tasks')).toHaveCount(2)
  await setFilter(page, 'Frequency', 'Daily')
  await expect(page).toHaveURL('/tasks?q=sorted&frequency=daily')
  await expect(row(page, 'Sorted Beta')).toHaveCount(0)
  await expect(row(page, 'Sorted Alpha')).toBeVisible()
  await page.goBack()
  await expect(row(page, 'Sorted Beta')).toBeVisible()
  await page.getByRole('button', { name: 'Tenant', exact: true }).click()
  await expect(rowsOf(page, 'Tasks').first()).toContainText('Sorted Alpha')
  await page.getByRole('button', { name: 'Tenant', exact: true }).click()
  await expect(rowsOf(page, 'Tasks').first()).toContainText('Sorted Beta')
  await page.goto('/tasks?status=nonsense&frequency=hourly&sort=secret&limit=7&q=sorted')
  await expect(rowsOf(page, 'Tasks')).toHaveCount(2)
  await page.goto('/tasks?q=nothing-is-called-so')
  await expect(page.getByText('No tasks match.')).toBeVisible()
})

test('tasks that cannot be loaded show the reason and can be retried; an empty list has its text', async ({
  signedIn: page,
  problems,
}) => {
  problems.expected.push(/status of 403/, /status of 404/, /status of 422/)
  await page.route('**/api/v1/admin/tasks?*', (route) => route.fulfill({ status: 403, json: { detail: 'Not now.' } }))
  await page.goto('/tasks')
  await expect(page.getByRole('alert')).toContainText('Not now.')
  await page.unroute('**/api/v1/admin/tasks?*')
  await page.route('**/api/v1/admin/tasks?*', (route) =>
    route.fulfill({ status: 200, json: [], headers: { 'x-total-count': '0', 'x-page-start': '0' } }),
  )
  await page.getByRole('button', { name: 'Try Again' }).click()
  await expect(page.getByText('No task found')).toBeVisible()
  for (const id of ['6f6f1b0e', '6f6f1b0e-0000-4000-8000-000000000000']) {
    await page.goto(`/tasks/${id}`)
    await expect(page.getByText('Task not found')).toBeVisible()
  }
  await page.getByRole('link', { name: 'All Tasks' }).click()
  await expect(page).toHaveURL('/tasks')
})

test('a task is created and run with only the keyboard', async ({ signedIn: page }) => {
  const placeId = samplePlaceId('Keyed Works')
  await makeTenant(page, 'Keyed Works')
  await page.goto('/tasks/create')
  await expect(page.getByRole('combobox', { name: 'Tenant' })).toBeFocused()
  await page.keyboard.type('Keyed')
  // The first option is never the tenant that was first before the search had an answer.
  await expect(page.getByRole('listbox').getByRole('option').first()).toHaveText(/Keyed Works/)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('combobox', { name: 'Tenant' })).toHaveValue('Keyed Works')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('w')
  await expect(page.getByLabel('Frequency')).toHaveValue('weekly')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'At a Fixed Time…' })).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.type(placeId)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/tasks')
  await row(page, 'Keyed Works').focus()
  await page.keyboard.press('.')
  await expect(page.getByRole('menuitem', { name: 'Run task now' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByText('executed successfully!')).toBeVisible()
})

for (const width of [1440, 390]) {
  test(`at ${width} pixels axe finds nothing on the task screens, and nothing scrolls sideways`, async ({
    signedIn: page,
  }) => {
    await page.setViewportSize({ width, height: 900 })
    const expectSound = async () => {
      await expectAccessible(page)
      await expectNoSidewaysScroll(page, ...(width === 390 ? [360] : []))
    }
    const name = `<b>Viewed at ${width}</b> ${'W'.repeat(80)}`
    const tenantId = await makeTenant(page, `Viewed at ${width}`)
    await callApi(page, 'PUT', `tenants/${tenantId}`, { name })
    const place_id = samplePlaceId(`Viewed at ${width}`)
    const id = idOf(
      await callApi(page, 'POST', 'tasks/schedule', {
        tenant_id: tenantId,
        schedule_name: 'pull_google_review',
        frequency: 'weekly',
        extra_data: { place_id, place_name: `<i>Place</i> ${'W'.repeat(120)}`, place_address: '1 مرحبا Street' },
      }),
    )
    await page.goto(`/tasks?tenant_id=${tenantId}`)
    await expect(page.getByRole('link', { name: /^<i>Place/ })).toBeVisible()
    await expectSound()
    await page.goto(`/tasks/${id}`)
    await page.getByRole('button', { name: 'Run task now' }).click()
    await expect(page.getByText('pulled just now')).toBeVisible()
    await expectSound()
  })

  test(`at ${width} pixels axe finds nothing on the forms of a task`, async ({ signedIn: page }) => {
    await page.setViewportSize({ width, height: 900 })
    const id = await makeTask(page, `Formed at ${width}`, { placeId: 'ChIJformed' })
    await page.goto(`/tasks/${id}`)
    await page.getByRole('button', { name: /^Edit/ }).click()
    await expect(page.getByRole('dialog', { name: 'Edit Task' })).toBeVisible()
    await expectAccessible(page)
    await page.getByRole('dialog').getByRole('button', { name: 'Generate Place ID' }).click()
    await expect(page.getByRole('dialog', { name: 'Generate Place ID' })).toBeVisible()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog', { name: 'Edit Task' })).toBeVisible()
    await page.goto('/tasks/create')
    await page.getByLabel('Frequency').selectOption('Monthly')
    await page.getByRole('button', { name: 'Create Task' }).click()
    await expect(page.getByRole('alert').first()).toBeVisible()
    await expectAccessible(page)
  })
}
