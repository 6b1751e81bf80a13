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

/** How to run a command: with npm in a checkout, and with Node in a release, which has no npm scripts. */
export function commandLine(isRelease: boolean, command: OperatorCommand, ...args: readonly string[]): string {
  const words = isRelease
    ? [`node scripts/${command.replace(':', '-')}.ts`, ...args]
    : [`npm run ${command}`, ...(args.length === 0 ? [] : ['--', ...args])]
  return words.join(' ')
}
