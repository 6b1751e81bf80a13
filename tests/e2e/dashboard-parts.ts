import type { Page } from '@playwright/test'

/** A section or a tile of the dashboard. */
export const part = (page: Page, title: string) => page.getByRole('region', { name: title })
/** The figure of a card, which is a link. */
export const figure = (page: Page, label: string) => page.getByRole('link', { name: new RegExp(`^${label} `) })
