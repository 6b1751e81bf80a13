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

/** What runs commands: npm in a checkout, the Node of a release, or the Node of the machine or the image. */
export const COMMAND_RUNNERS = ['npm', 'bin/node', 'node'] as const
export type CommandRunner = (typeof COMMAND_RUNNERS)[number]

/** How to run a command in the folder of the installation: "npm run doctor", or "bin/node scripts/doctor.ts". */
export function commandLine(runner: CommandRunner, command: OperatorCommand, ...args: readonly string[]): string {
  const words =
    runner === 'npm'
      ? [`npm run ${command}`, ...(args.length === 0 ? [] : ['--', ...args])]
      : [`${runner} scripts/${command.replace(':', '-')}.ts`, ...args]
  return words.join(' ')
}
