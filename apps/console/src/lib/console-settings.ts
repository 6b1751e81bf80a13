import { commandLine, type OperatorCommand } from '@switchboard/contract/wire/command-line'
import type { ConsoleSettings } from '@switchboard/contract/wire/console-settings'

/**
 * Settings from the JSON block in `index.html`. Not validated: the server writes the block from
 * the same schema, and validation would load zod on the sign-in page.
 */
export const consoleSettings: ConsoleSettings = JSON.parse(
  document.getElementById('console-settings')?.textContent ?? '',
)

/** How to run a command for operators on the server. */
export function commandHere(command: OperatorCommand, ...args: readonly string[]): string {
  return commandLine(consoleSettings.command_runner, command, ...args)
}
