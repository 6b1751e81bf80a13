import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { callApi, test } from './fixtures.ts'
import { rowsOf } from './tables.ts'

/** A tenant of one test; its id. Its subdomain must be unique among all stories of the project. */
export async function makeTenant(
  page: Page,
  name: string,
  fields: { subdomain?: string; tenant_type?: 'service' } = {},
): Promise<string> {
  const subdomain = name.toLowerCase().replace(/[^a-z0-9]+/g, '-')
  const tenant = { name, subdomain, tenant_type: 'product', ...fields }
  await claim(tenant.subdomain)
  return idOf(await callApi(page, 'POST', 'tenants', tenant))
}

/** A user of a tenant; the id. The email address must be unique among all stories of the project. */
export async function makeUser(page: Page, tenant_id: string, email: string, fields: object = {}): Promise<string> {
  await claim(email)
  const user = { email, password: 'seven sisters walk at dusk', role: 'user', tenant_id, ...fields }
  return idOf(await callApi(page, 'POST', 'tenant-admins', user))
}

/** Fails in every whole run when two stories use one text, not only when both happen to meet on one server. */
async function claim(text: string): Promise<void> {
  const { name, outputDir } = test.info().project
  const claims = join(outputDir, 'claims', name)
  await mkdir(claims, { recursive: true })
  await writeFile(join(claims, text), test.info().titlePath.join(' › '), { flag: 'wx' })
}

/** Tenants "name 01" to "name `count`". */
export async function makeTenants(page: Page, name: string, count: number): Promise<void> {
  for (let n = 1; n <= count; n += 1) await makeTenant(page, `${name} ${String(n).padStart(2, '0')}`)
}

/** An API key of a tenant; its id. */
export async function makeKey(page: Page, tenant_id: string, fields: object = {}): Promise<string> {
  return idOf(await callApi(page, 'POST', 'api-keys', { tenant_id, ...fields }))
}

/** The id of a returned record. */
export function idOf(answer: unknown): string {
  if (typeof answer !== 'object' || answer === null || !('id' in answer)) throw new Error('no record')
  return String(answer.id)
}

/** The secret of a new key. */
export function secretOf(answer: unknown): string {
  if (typeof answer !== 'object' || answer === null || !('api_key' in answer)) throw new Error('no secret')
  return String(answer.api_key)
}

/** Closes the dialog with a new secret, without a copy. */
export async function closeSecret(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('dialog', { name: 'Close Without a Copy' }).getByRole('button', { name: 'Close Anyway' }).click()
}

/** The head of a tenant in the view by tenant, and the rows of the keys of all open tenants. */
export const section = (page: Page, tenant: string) => page.getByRole('row', { name: tenant, exact: true })
export const openKeyRows = (page: Page) =>
  rowsOf(page, 'API Keys').filter({ has: page.getByRole('button', { name: /^More actions for .* ending/ }) })

/** The rows of the list of all keys. */
export const keyRows = (page: Page, text?: string | RegExp) =>
  text === undefined ? rowsOf(page, 'API Keys') : rowsOf(page, 'API Keys').filter({ hasText: text })

/** Chooses an action in the menu of a row, or of the first shown key with this name. */
export async function chooseAction(within: Page | Locator, action: string, key: string | RegExp = ''): Promise<void> {
  const page = 'page' in within ? within.page() : within
  const name = typeof key === 'string' ? `More actions for ${key}` : key
  await within.getByRole('button', { name }).filter({ visible: true }).first().click()
  const menu = page.getByRole('menu').or(page.getByRole('dialog', { name: /^Actions for/ }))
  // "Edit", not "Edit suspension". In a sheet, the reason of a refusal follows.
  const label = new RegExp(`^${action}(…|$|(?=[A-Z]))`)
  await menu
    .getByRole('menuitem', { name: label })
    .or(menu.getByRole('button', { name: label }))
    .click()
}
