import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import type { JsonTestResults } from 'vitest/node'

// Runs every test, one runner after the other, and ends with the totals of all in one line. With arguments, as in `npm
// test -- tenants`, runs only the unit and API tests in files with an argument in their path.

type Totals = { passed: number; failed: number; skipped: number }

const root = path.resolve(import.meta.dirname, '..')
const chosen = process.argv.slice(2)
if (chosen.length > 0) process.exit(run('vitest/vitest.mjs', 'run', ...chosen))

const reports = path.join(root, '.reports')
rmSync(reports, { recursive: true, force: true })

const failures = [
  run('vitest/vitest.mjs', 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${reports}/vitest.json`),
  run('@playwright/test/cli.js', 'test'),
].filter((status) => status !== 0)

const totals = [vitestTotals(), playwrightTotals()].reduce((sum, one) => ({
  passed: sum.passed + one.passed,
  failed: sum.failed + one.failed,
  skipped: sum.skipped + one.skipped,
}))
// A runner that crashed outside its tests has failed too.
if (failures.length > 0 && totals.failed === 0) totals.failed = failures.length
for (const failure of vitestFailures()) console.log(failure)
console.log(
  `\n${totals.passed} passed, ${totals.failed} failed${totals.skipped > 0 ? `, ${totals.skipped} skipped` : ''}`,
)
process.exit(totals.failed > 0 ? 1 : 0)

function run(script: string, ...args: string[]): number {
  const file = path.join(root, 'node_modules', script)
  return spawnSync(process.execPath, [file, ...args], { cwd: root, stdio: 'inherit' }).status ?? 1
}

function vitestTotals(): Totals {
  const report = readReport('vitest.json')
  return {
    passed: numberIn(report, 'numPassedTests'),
    failed: numberIn(report, 'numFailedTests'),
    skipped: numberIn(report, 'numPendingTests') + numberIn(report, 'numTodoTests'),
  }
}

/** The name of each failed unit or API test and why it failed: hundreds of stories run after Vitest has said so. */
function vitestFailures(): string[] {
  const { testResults = [] }: Partial<JsonTestResults> = readReport('vitest.json')
  return testResults.flatMap(({ name: file, message, assertionResults }) => {
    const name = path.relative(root, file)
    const failed = assertionResults.filter(({ status }) => status === 'failed')
    const reasons = failed.map((test) => `${name} > ${test.fullName}\n${(test.failureMessages ?? []).join('\n')}`)
    return message === '' ? reasons : [`${name}\n${message}`, ...reasons]
  })
}

function playwrightTotals(): Totals {
  const { stats } = readReport('e2e.json')
  return {
    passed: numberIn(stats, 'expected'),
    failed: numberIn(stats, 'unexpected') + numberIn(stats, 'flaky'),
    skipped: numberIn(stats, 'skipped'),
  }
}

function readReport(file: string): Record<string, unknown> {
  try {
    return JSON.parse(readFileSync(path.join(reports, file), 'utf8'))
  } catch {
    console.error(`The report ${file} is missing: its runner has crashed.`)
    return {}
  }
}

function numberIn(report: unknown, key: string): number {
  const value = typeof report === 'object' && report !== null ? Reflect.get(report, key) : 0
  return typeof value === 'number' ? value : 0
}
