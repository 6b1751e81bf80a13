/** The commands for operators, by their npm scripts. */
export type OperatorCommand =
  | 'admin'
  | 'audit:verify'
  | 'backup'
  | 'restore'
  | 'db:migrate'
  | 'db:recount'
  | 'secrets:rotate'
  | 'doctor'

/**
 * What runs commands: npm in a checkout, the command `switchboard` of an installation under systemd, the Node of a release,
 * or the Node of the machine or the image.
 */
export const COMMAND_RUNNERS = ['npm', 'switchboard', 'bin/node', 'node'] as const
export type CommandRunner = (typeof COMMAND_RUNNERS)[number]

/** How to run a command: "npm run doctor", "switchboard doctor", or in the folder of a release "bin/node scripts/doctor.ts". */
export function commandLine(runner: CommandRunner, command: OperatorCommand, ...args: readonly string[]): string {
  if (runner === 'npm') return [`npm run ${command}`, ...(args.length === 0 ? [] : ['--', ...args])].join(' ')
  const name = command.replace(':', '-')
  return [runner, runner === 'switchboard' ? name : `scripts/${name}.ts`, ...args].join(' ')
}
