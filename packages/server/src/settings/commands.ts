import { existsSync } from 'node:fs'
import path from 'node:path'
import { commandLine, type CommandRunner, type OperatorCommand } from '@switchboard/contract/wire/command-line'

const root = path.resolve(import.meta.dirname, '../../../..')

/** Whether this is a release (`npm run release`), which does not contain the setup scripts of a checkout. */
export const IS_RELEASE = !existsSync(path.join(root, 'scripts/setup.mjs'))

/** Where `deploy/systemd/install.sh` puts the command that runs all others. */
const INSTALLED_COMMAND = '/usr/local/bin/switchboard'

/** What runs the commands of this installation. */
export const COMMAND_RUNNER: CommandRunner = runner()

/** How to run a command for operators in this installation. */
export function commandHere(command: OperatorCommand, ...args: readonly string[]): string {
  return commandLine(COMMAND_RUNNER, command, ...args)
}

function runner(): CommandRunner {
  if (!IS_RELEASE) return 'npm'
  if (existsSync(INSTALLED_COMMAND)) return 'switchboard'
  return existsSync(path.join(root, 'bin/node')) ? 'bin/node' : 'node'
}
