import type { ConsoleSettings } from '@switchboard/contract/wire/console-settings'

/**
 * What admin-api wrote into `index.html` when it served the page. Not parsed again: the server writes the block from
 * the same schema, and parsing it would load all of zod before anybody has signed in.
 */
export const consoleSettings: ConsoleSettings = JSON.parse(
  document.getElementById('console-settings')?.textContent ?? '',
)
