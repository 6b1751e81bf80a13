import { expect, test } from 'vitest'
import { commandLine } from './command-line.ts'

test.for([
  ['npm', ['db:migrate'], 'npm run db:migrate'],
  ['npm', ['db:migrate', 'status'], 'npm run db:migrate -- status'],
  ['npm', ['doctor', '--bundle', 'FILE'], 'npm run doctor -- --bundle FILE'],
  ['node', ['db:migrate'], 'node scripts/db-migrate.ts'],
  ['bin/node', ['db:migrate', 'status'], 'bin/node scripts/db-migrate.ts status'],
  ['switchboard', ['db:migrate', 'status'], 'switchboard db-migrate status'],
  ['node', ['audit:verify', '1:2'], 'node scripts/audit-verify.ts 1:2'],
] as const)('with %s %o is %s', ([runner, [command, ...args], line]) => {
  expect(commandLine(runner, command, ...args)).toBe(line)
})
