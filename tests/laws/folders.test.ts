import { execFileSync } from 'node:child_process'
import path from 'node:path'
import { expect, test } from 'vitest'

// STYLE 5: a folder with more than 15 source files is split by noun.

const FILES_MAX = 15

/** Folders with more files, each with its reason. */
const EXCEPTIONS: Record<string, string> = {
  scripts: 'One file for each command of package.json.',
  'packages/contract/src': 'One file for each noun, and one folder beside it.',
}

const root = path.resolve(import.meta.dirname, '../..')

test('a folder has at most 15 source files, without tests and styles', () => {
  const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  })
    .split('\n')
    .filter((file) => /\.(ts|tsx|mjs)$/.test(file) && !/\.(test|e2e|bench|d)\.tsx?$/.test(file))
  const counts = Map.groupBy(files, (file) => path.dirname(file))
  const large = [...counts].filter(([folder, { length }]) => length > FILES_MAX && !(folder in EXCEPTIONS))
  expect(large.map(([folder, { length }]) => `${folder}: ${length}`)).toEqual([])
})
