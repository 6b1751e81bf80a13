import { expect, test } from 'vitest'
import { commandLine } from './command-line.ts'

test.for([
  [false, ['db:migrate'], 'npm run db:migrate'],
  [false, ['db:migrate', 'status'], 'npm run db:migrate -- status'],
  [false, ['doctor', '--bundle', 'FILE'], 'npm run doctor -- --bundle FILE'],
  [true, ['db:migrate'], 'node scripts/db-migrate.ts'],
  [true, ['db:migrate', 'status'], 'node scripts/db-migrate.ts status'],
  [true, ['audit:verify', '1:2'], 'node scripts/audit-verify.ts 1:2'],
] as const)('in a release (%s) %o is %s', ([isRelease, [command, ...args], line]) => {
  expect(commandLine(isRelease, command, ...args)).toBe(line)
})
