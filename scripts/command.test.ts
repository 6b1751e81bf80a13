import { spawnSync } from 'node:child_process'
import path from 'node:path'
import type { OperatorCommand } from '@switchboard/contract/wire/command-line'
import { describe, expect, test } from 'vitest'

const COMMANDS: readonly OperatorCommand[] = [
  'admin',
  'audit:verify',
  'backup',
  'db:migrate',
  'db:recount',
  'doctor',
  'restore',
  'secrets:rotate',
]

describe.for(COMMANDS)('npm run %s', (command) => {
  const uses = expect.stringContaining(`npm run ${command} `)

  test('prints its uses with --help', () => {
    expect(run('--help')).toMatchObject({ status: 0, stdout: uses, stderr: '' })
  })

  test('prints its uses after an unknown option, and changes nothing', () => {
    const { status, stdout, stderr } = run('--unknown')
    expect([status, stdout, stderr]).toEqual([1, '', uses])
    expect(stderr).toMatch(/^Unknown option '--unknown'\n\n/)
  })

  function run(...args: string[]) {
    const script = path.join(import.meta.dirname, `${command.replace(':', '-')}.ts`)
    return spawnSync(process.execPath, [script, ...args], { encoding: 'utf8' })
  }
})
