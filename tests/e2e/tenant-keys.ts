import type { Page } from '@playwright/test'
import { callApi } from './fixtures.ts'

/** A tenant of one test, with a unique name. */
export async function makeTenant(page: Page, name: string): Promise<string> {
  const subdomain = name.toLowerCase().replace(/[^a-z0-9]+/g, '-')
  return idOf(await callApi(page, 'POST', 'tenants', { name, subdomain, tenant_type: 'product' }))
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

export const section = (page: Page, tenant: string) => page.getByRole('region', { name: tenant })
export const items = (page: Page, tenant: string) =>
  page.getByRole('list', { name: `API keys of ${tenant}` }).getByRole('listitem')
