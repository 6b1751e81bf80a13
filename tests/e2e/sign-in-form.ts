import type { Page } from '@playwright/test'

/** Signs in on /login, which is open already. The caller waits for the next screen. */
export async function fillSignInForm(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  // Pressed instead of clicked: the pointer would rest on a link of the next page, which prefetches its list.
  await page.keyboard.press('Enter')
}
