import type { ConsoleSettings } from '@switchboard/contract/wire/console-settings'

/**
 * Settings from the JSON block in `index.html`. Not validated: the server writes the block from
 * the same schema, and validation would load zod on the sign-in page.
 */
export const consoleSettings: ConsoleSettings = JSON.parse(
  document.getElementById('console-settings')?.textContent ?? '',
)
