import type { Page } from '@playwright/test'
import { callApi, endSession, endSessionUnder, expect, expectAccessible, test } from './fixtures.ts'
import { person } from './person.ts'
import { PASSWORD } from './server.ts'
import { chooseAction, makeTenant } from './tenant-keys.ts'

const question = (page: Page) => page.getByRole('dialog', { name: 'Leave Without Saving' })
const signInAgain = (page: Page) => page.getByRole('dialog', { name: 'Your Session Has Ended' })
const editDialog = (page: Page) => page.getByRole('dialog', { name: 'Edit Tenant' })
const sidebarLink = (page: Page, name: string) =>
  page.getByRole('complementary').getByRole('link', { name, exact: true })

/** Opens the edit dialog of a tenant and types a goal. Back leads from here to the dashboard. */
async function typeGoal(page: Page, name: string, goal: string): Promise<void> {
  await sidebarLink(page, 'Tenants').click()
  await chooseAction(page, 'Edit', name)
  await editDialog(page).getByLabel('Goal').fill(goal)
}

/** Reloads the page. The browser asks, and the page stays. */
async function stayAtReload(page: Page): Promise<void> {
  const opening = page.waitForEvent('dialog')
  await page.evaluate(() => setTimeout(() => location.reload()))
  const browserQuestion = await opening
  expect(browserQuestion.type()).toBe('beforeunload')
  await browserQuestion.dismiss()
}

test('a 422 for a field without an input shows at the top of the form', async ({ signedIn: page, problems }) => {
  problems.expected.push(/status of 422/)
  await page.goto('/tenants/create')
  await page.getByLabel('Tenant Name').fill('Top Works')
  await page.getByLabel('Subdomain').fill('top-site')
  await page.route('**/api/v1/admin/tenants', (route) =>
    route.fulfill({
      status: 422,
      json: {
        detail: [
          { loc: ['body', 'goal'], msg: 'Too long.', type: 'too_big' },
          { loc: ['body', 'subdomain'], msg: 'Too odd.', type: 'custom' },
        ],
      },
    }),
  )
  await page.getByRole('button', { name: 'Create Tenant' }).click()
  await expect(page.getByRole('alert')).toHaveText('goal: Too long.')
  await expect(page.getByLabel('Subdomain')).toHaveAccessibleDescription(/Too odd\./)
  await expect(page.getByLabel('Subdomain')).toBeFocused()
  await expectAccessible(page)
  // The error of a field stays until the field changes.
  await page.getByLabel('Tenant Name').fill('Other Works')
  await expect(page.getByRole('alert')).toHaveCount(0)
  await expect(page.getByLabel('Subdomain')).toHaveAttribute('aria-invalid', 'true')
})

test('an edit dialog with unsaved changes asks at Escape, backdrop, cross, Back and reload', async ({
  onDashboard: page,
}) => {
  await makeTenant(page, 'Guarded Works')
  await typeGoal(page, 'Guarded Works', 'Half a goal')
  const goal = editDialog(page).getByLabel('Goal')
  const stay = async () => {
    await question(page).getByRole('button', { name: 'Stay' }).click()
    await expect(question(page)).toHaveCount(0)
    await expect(goal).toHaveValue('Half a goal')
  }
  await page.keyboard.press('Escape')
  await expect(question(page)).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(question(page)).toHaveCount(0)
  await expect(goal).toBeFocused()
  await page.mouse.click(5, 5)
  await stay()
  await editDialog(page).getByRole('button', { name: 'Close' }).click()
  await stay()
  await page.goBack()
  await stay()
  await expect(page).toHaveURL(/\/tenants/)

  await stayAtReload(page)
  await expect(goal).toHaveValue('Half a goal')

  await goal.fill('')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await chooseAction(page, 'Edit', 'Guarded Works')
  await goal.fill('Another goal')
  await page.keyboard.press('Escape')
  await question(page).getByRole('button', { name: 'Leave' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('a page with unsaved changes asks at a reload and at every link except Cancel', async ({ signedIn: page }) => {
  await page.goto('/tenants/create')
  await page.getByLabel('Tenant Name').fill('Half a tenant')
  await stayAtReload(page)
  await sidebarLink(page, 'Users').click()
  await question(page).getByRole('button', { name: 'Stay' }).click()
  await expect(page.getByLabel('Tenant Name')).toHaveValue('Half a tenant')
  await sidebarLink(page, 'Users').click()
  await question(page).getByRole('button', { name: 'Leave' }).click()
  await expect(page).toHaveURL('/users')
  await page.goto('/tenants/create')
  await page.getByLabel('Tenant Name').fill('Half a tenant')
  await page.getByRole('link', { name: 'Cancel' }).click()
  await expect(page).toHaveURL('/tenants')
})

test('two unsaved forms on a page ask once', async ({ signedIn: page }) => {
  await page.goto('/settings')
  await page.getByRole('textbox', { name: 'Email' }).fill('later@example.com')
  await page.getByLabel('Current password').fill('half a password')
  await sidebarLink(page, 'Users').click()
  await question(page).getByRole('button', { name: 'Leave' }).click()
  await expect(page).toHaveURL('/users')
})

test('an expired session asks for the password over unsaved changes, and the next save succeeds', async ({
  onDashboard: page,
  problems,
}) => {
  problems.expected.push(/status of 401/)
  const id = await makeTenant(page, 'Expired Works')
  await typeGoal(page, 'Expired Works', 'Typed before the end')
  await endSessionUnder(page, `**/api/v1/admin/tenants/${id}`)
  const { click, press, clicks, keys } = person(page)
  const save = editDialog(page).getByRole('button', { name: 'Save Changes' })
  await click(save)
  const password = signInAgain(page).getByLabel('Password', { exact: true })
  await expect(password).toBeFocused()
  await expect(signInAgain(page).getByLabel('Email')).toHaveAttribute('readonly')
  await page.keyboard.press('Escape')
  await expectAccessible(page)
  await password.fill('a wrong password')
  await page.keyboard.press('Enter')
  await expect(password).toHaveAccessibleDescription('Invalid email or password')
  await expect(password).toBeFocused()
  await password.fill(PASSWORD)
  await press('Enter')

  await expect(signInAgain(page)).toHaveCount(0)
  await expect(editDialog(page).getByRole('alert')).toHaveText(/^Nothing was saved, because your session had ended/)
  await expect(editDialog(page).getByLabel('Goal')).toHaveValue('Typed before the end')
  await click(save)
  await expect(page.getByText('Expired Works was updated.')).toBeVisible()
  expect([clicks(), keys()]).toEqual([2, 1])
  await chooseAction(page, 'Edit', 'Expired Works')
  await expect(editDialog(page).getByLabel('Goal')).toHaveValue('Typed before the end')
})

test('a page keeps its unsaved changes over an expired session until they are discarded', async ({
  signedIn: page,
  problems,
}) => {
  problems.expected.push(/status of 401/)
  await page.goto('/tenants/create')
  await page.getByLabel('Tenant Name').fill('Late Works')
  await page.getByLabel('Subdomain').fill('late-works')
  await endSession(page)
  const { press, enter, keys } = person(page)
  await press('Enter')
  await expect(signInAgain(page).getByLabel('Password', { exact: true })).toBeFocused()
  await page.keyboard.type(PASSWORD)
  await press('Enter')
  await expect(signInAgain(page)).toHaveCount(0)
  await enter(page.getByRole('button', { name: 'Create Tenant' }))
  expect(keys()).toBeLessThanOrEqual(8)
  await expect(page.getByText('Late Works was created.')).toBeVisible()
  await expect(page).toHaveURL('/tenants')

  await page.goto('/tenants/create')
  await page.getByLabel('Tenant Name').fill('Lost Works')
  await page.getByLabel('Subdomain').fill('lost-works')
  await endSession(page)
  await page.keyboard.press('Enter')
  await signInAgain(page).getByRole('button', { name: 'Discard Changes' }).click()
  await expect(page).toHaveURL(/\/login\?redirect=%2Ftenants%2Fcreate/)
  await expect(page.getByText('Your session has ended. Sign in again.')).toBeVisible()
})

test('a sign-in in another tab closes the question for the password', async ({ signedIn: page, context, problems }) => {
  problems.expected.push(/status of 401/)
  await page.goto('/tenants/create')
  await page.getByLabel('Tenant Name').fill('Shared Works')
  const other = await context.newPage()
  await other.goto('/settings')
  await expect(other.getByRole('heading', { name: 'Admin Settings' })).toBeVisible()
  await endSession(page)
  await expect(other).toHaveURL(/\/login/)
  await expect(signInAgain(page)).toBeVisible()
  await other.getByLabel('Email').fill('ada@switchboard.example')
  await other.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await other.keyboard.press('Enter')
  await expect(signInAgain(page)).toHaveCount(0)
  await expect(page.getByLabel('Tenant Name')).toHaveValue('Shared Works')
})

test('a conflict shows both values side by side, of another admin or of the same one elsewhere', async ({
  onDashboard: page,
  problems,
}) => {
  problems.expected.push(/status of 412/)
  const id = await makeTenant(page, 'Compared Works')
  await typeGoal(page, 'Compared Works', 'Mine')
  await callApi(page, 'PUT', `tenants/${id}`, { goal: 'Theirs', aggressiveness: 7.5 })
  await page.route(`**/tenants/${id}`, async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...(await response.json()), changed_by: 'grace@switchboard.example' } })
  })
  await editDialog(page).getByRole('button', { name: 'Save Changes' }).click()
  await expect(editDialog(page).getByRole('alert')).toHaveText(
    /^grace@switchboard\.example changed this tenant just now\. Your changes are not saved yet\.$/,
  )
  const rows = editDialog(page).getByRole('table').getByRole('row')
  await expect(rows).toHaveText(['FieldTheirsYours', 'GoalTheirsMine', 'Aggressiveness7.55.0'])
  await page.unroute(`**/tenants/${id}`)
  // A third version is saved before the choice.
  await callApi(page, 'PUT', `tenants/${id}`, { aggressiveness: 8.5 })
  await editDialog(page).getByRole('button', { name: 'Keep Mine' }).click()
  await expect(editDialog(page).getByRole('alert')).toHaveText(
    /^You, in another tab or on another device, changed this tenant just now\. Your changes are not saved yet\.$/,
  )
  await expect(rows).toHaveText(['FieldSavedHere', 'GoalTheirsMine', 'Aggressiveness8.55.0'])
  await expectAccessible(page)
})

for (const choice of ['Reload', 'Keep Mine'] as const) {
  test(`two admins edit one tenant: the second sees the first change and may ${choice.toLowerCase()}`, async ({
    signedIn: page,
    problems,
  }) => {
    problems.expected.push(/status of 412/)
    const name = `Contested ${choice}`
    const tenant = await makeTenant(page, name)
    await page.goto(`/tenants?q=${encodeURIComponent(name)}`)
    // One choice by mouse, the other by keyboard.
    const { click, press, reach, enter, clicks, keys } = person(page)
    const [open, choose] =
      choice === 'Reload'
        ? [
            async () => {
              await click(page.getByRole('button', { name: `More actions for ${name}` }))
              await click(page.getByRole('menuitem', { name: 'Edit', exact: true }))
            },
            click,
          ]
        : [() => press('j', 'e'), enter]
    await expect(page.getByRole('button', { name: `More actions for ${name}` })).toBeVisible()
    await open()
    const dialog = editDialog(page)
    await callApi(page, 'PUT', `tenants/${tenant}`, { goal: 'Theirs' })

    await expect(dialog.getByLabel('Tenant Name')).toBeFocused()
    await reach(dialog.getByLabel('Goal'))
    await page.keyboard.type('Mine')
    await choose(dialog.getByRole('button', { name: 'Save Changes' }))
    await expect(dialog).toContainText('You, in another tab or on another device, changed this tenant')
    await expect(dialog).toContainText('Theirs')
    await expect(dialog.getByLabel('Goal')).toHaveValue('Mine')
    // The choice comes first, and its buttons are the next ones for the keyboard.
    await expect(dialog.getByRole('button', { name: 'Save Changes' })).toBeDisabled()
    await expect(dialog.locator(':focus')).toContainText('changed this tenant')
    await expectAccessible(page)
    // The list loads slowly: the saved values appear before.
    await page.route('**/api/v1/admin/tenants?*', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 1_500))
      await route.continue()
    })
    await choose(dialog.getByRole('button', { name: choice }))
    expect(clicks()).toBeLessThanOrEqual(4)
    expect(keys()).toBeLessThanOrEqual(16)
    if (choice === 'Reload') {
      await expect(dialog.getByLabel('Goal')).toHaveValue('Theirs')
    } else {
      await expect(dialog).toHaveCount(0)
      await chooseAction(page, 'Edit', name)
      await expect(dialog.getByLabel('Goal')).toHaveValue('Mine')
    }
    await page.unrouteAll({ behavior: 'wait' })
  })
}
