import type { Page } from '@playwright/test'
import { expect, openDashboard, test } from './fixtures.ts'
import { holdAnswers } from './held-answers.ts'
import { PASSWORD } from './server.ts'
import { makeTenant } from './tenant-keys.ts'

/** The code of the next page. Unlike the health call before it, a script may take any time. */
const SCRIPTS = '**/assets/*.js'

test('a form stays busy, without its notice, until the next page is shown', async ({ signedIn: page }) => {
  await makeTenant(page, 'Slow Works')
  await page.goto('/tenants/create')
  await page.getByLabel('Tenant Name').fill('Slow Tenant')
  await createSlowly(page, 'Create Tenant', 'Slow Tenant')
  await expect(page.getByRole('heading', { name: 'Tenants', exact: true })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Next steps' })).toBeFocused()

  await page.goto('/users/create')
  await page.getByLabel('Email Address').fill('slow@works.example')
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await expect(page.getByRole('combobox', { name: 'Tenant' })).not.toHaveValue('')
  await createSlowly(page, 'Create User', 'slow@works.example')
  await expect(page.getByText('slow@works.example was created.')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Users', exact: true })).toBeVisible()

  await page.goto('/tasks/create')
  await page.getByLabel('Task Schedule').selectOption('Pull Google Review')
  await page.getByLabel('Frequency').selectOption('Weekly')
  await page.getByLabel('Google Place ID').fill('ChIJ-slow-works')
  await page.getByRole('combobox', { name: 'Tenant' }).fill('Slow Works')
  await page.getByRole('option', { name: /Slow Works/ }).click()
  await createSlowly(page, 'Create Task', 'Slow Works')
  await expect(page.getByText(/ was created\.$/)).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Tasks', exact: true })).toBeVisible()
})

test('text typed while a form opens goes into its first field, and no letter is a shortcut', async ({
  signedIn: page,
}) => {
  await makeTenant(page, 'Early Works')
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 6 })
  // Only characters of a US keyboard: Playwright inserts all others without a key.
  for (const [list, button, field, typed] of [
    ['/tenants', 'New Tenant', 'Tenant Name', 'ce Nordlicht Cafe & Roesterei'],
    ['/users', 'New User', 'Email Address', 'zj.farrow@example.com'],
  ] as const) {
    await page.goto(list)
    await page.getByRole('link', { name: button, exact: true }).first().press('Enter')
    await page.keyboard.type(typed)
    await expect(page.getByLabel(field)).toHaveValue(typed)
    await expect(page.getByLabel(field)).toBeFocused()
  }

  await page.goto('/tasks')
  await page.getByRole('link', { name: 'New Task', exact: true }).first().press('Enter')
  await page.keyboard.type('gtz?')
  await expect(page.getByRole('combobox', { name: 'Tenant' })).toHaveValue('gtz?')
  await expect(page.getByRole('combobox', { name: 'Tenant' })).toBeFocused()
  await expect(page).toHaveURL('/tasks/create')
  await expect(page.getByRole('dialog')).toHaveCount(0)

  await openDashboard(page)
  await page.keyboard.press('Control+k')
  await page.keyboard.type('new tenant')
  await expect(page.getByRole('option', { name: /New Tenant/ })).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Enter')
  await page.keyboard.type('From the palette')
  await expect(page.getByLabel('Tenant Name')).toHaveValue('From the palette')
})

test('a letter that is being composed while a form opens goes into its first field', async ({ signedIn: page }) => {
  const devtools = await page.context().newCDPSession(page)
  await page.goto('/tenants')
  const link = page.getByRole('link', { name: 'New Tenant', exact: true }).first()
  await expect(link).toBeVisible()
  const release = await holdAnswers(page, SCRIPTS)
  const asked = page.waitForRequest(SCRIPTS)
  await link.press('Enter')
  await asked
  await page.keyboard.type('Caf')
  await devtools.send('Input.imeSetComposition', { text: '´', selectionStart: 1, selectionEnd: 1 })
  release()
  await expect(page.getByLabel('Tenant Name')).toBeVisible()
  await devtools.send('Input.insertText', { text: 'é' })
  await expect(page.getByLabel('Tenant Name')).toBeFocused()
  await page.keyboard.type(' x')
  await expect(page.getByLabel('Tenant Name')).toHaveValue('Café x')
})

/**
 * Submits a form whose next page loads slowly. The form stays busy, with the text of its first field and without a
 * notice, until "Loading" takes its place.
 */
async function createSlowly(page: Page, button: string, text: string): Promise<void> {
  const release = await holdAnswers(page, SCRIPTS)
  await page.evaluate(recordStates, button)
  await page.getByRole('button', { name: button, exact: true }).press('Enter')
  await expect(page.getByRole('heading', { name: 'Loading', exact: true })).toBeVisible()
  const states = await page.evaluate((): string[] => Reflect.get(window, 'states'))
  expect(states.slice(states.indexOf(`busy, ${text}`))).toEqual([`busy, ${text}`, 'gone'])
  release()
}

/** Records each state of the form with this button, in the page: it may last for less than a check takes. */
function recordStates(label: string): void {
  const states: string[] = []
  Reflect.set(window, 'states', states)
  const stateNow = () => {
    const button = [...document.querySelectorAll('main button')].find(({ textContent }) => textContent === label)
    // React hides the form before it removes it.
    if (!(button instanceof HTMLButtonElement) || !button.checkVisibility()) return 'gone'
    const notice = document.body.textContent.includes('was created.') ? ', notice' : ''
    return `${button.disabled ? 'busy' : 'ready'}, ${document.querySelector('main input')?.value}${notice}`
  }
  new MutationObserver(() => {
    const state = stateNow()
    if (state !== states.at(-1)) states.push(state)
  }).observe(document.body, { subtree: true, childList: true, attributes: true })
}
