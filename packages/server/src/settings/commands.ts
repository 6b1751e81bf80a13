import { existsSync } from 'node:fs'
import path from 'node:path'
import { commandLine, type OperatorCommand } from '@switchboard/contract/wire/command-line'

/** Whether this is a release (`npm run build`), which does not contain the setup scripts of a checkout. */
export const IS_RELEASE = !existsSync(path.resolve(import.meta.dirname, '../../../../scripts/setup.mjs'))

/** How to run a command for operators in this installation. */
export function commandHere(command: OperatorCommand, ...args: readonly string[]): string {
  return commandLine(IS_RELEASE, command, ...args)
}
