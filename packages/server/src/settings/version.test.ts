import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { versionOf } from './version.ts'

test('a commit with the tag of the version is the release, and each later one names itself', () => {
  const { folder, git } = cloneOf('1.0.0-rc.1')
  git('tag', '--annotate', '--message', 'Release', 'v1.0.0-rc.1')
  expect(versionOf(folder)).toBe('1.0.0-rc.1')
  git('tag', 'later')
  git('commit', '--quiet', '--allow-empty', '--message', 'Go on')
  expect(versionOf(folder)).toBe(`1.0.0-rc.1+${git('rev-parse', 'HEAD').slice(0, 7)}`)
})

test('a tag that only begins like the version is another release', () => {
  const { folder, git } = cloneOf('1.0.0')
  git('tag', 'v1.0.0-rc.1')
  expect(versionOf(folder)).toMatch(/^1\.0\.0\+[0-9a-f]{7}$/)
})

test('a release says its version without Git', () => {
  const { folder } = cloneOf('1.0.0+abc1234')
  expect(versionOf(folder, true)).toBe('1.0.0+abc1234')
})

test('a folder without Git has the version of package.json', () => {
  const { folder } = cloneOf('1.0.0')
  rmSync(path.join(folder, '.git'), { recursive: true })
  expect(versionOf(folder)).toBe('1.0.0')
})

test('an archive that Git makes of a commit, such as a download of the sources, has the hash for its version', () => {
  const root = path.resolve(import.meta.dirname, '../../../..')
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' })
  expect(git('archive', 'HEAD', 'packages/server/src/settings/version.ts')).toContain(
    `const ARCHIVED = '${git('rev-parse', 'HEAD').trim()}`,
  )
})

/** A new repository with one commit, whose package.json has this version. */
function cloneOf(version: string) {
  const folder = mkdtempSync(path.join(tmpdir(), 'switchboard-version-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const person = ['-c', 'user.name=Test', '-c', 'user.email=test@switchboard.example']
  const git = (...args: string[]) => execFileSync('git', [...person, ...args], { cwd: folder, encoding: 'utf8' })
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ version }))
  git('init', '--quiet')
  git('add', '.')
  git('commit', '--quiet', '--message', 'Start')
  return { folder, git }
}
