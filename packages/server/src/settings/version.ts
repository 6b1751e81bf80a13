import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import { IS_RELEASE } from './commands.ts'

/** The commit and its names. `git archive` fills this in (.gitattributes); in a clone the same line comes from Git. */
const ARCHIVED = '$Format:%H %D$'

const root = path.resolve(import.meta.dirname, '../../../..')

/** The version of this Switchboard: "1.0.0" of the release, "1.0.0+abc1234" of a later commit. */
export const VERSION = versionOf(root)

/** The version of the release, clone or unpacked archive in this folder. */
export function versionOf(folder: string, isRelease = IS_RELEASE): string {
  const text = readFileSync(path.join(folder, 'package.json'), 'utf8')
  const { version } = z.object({ version: z.string() }).parse(JSON.parse(text))
  // The package.json of a release names the commit, where there is one to name.
  if (isRelease) return version
  const commit = existsSync(path.join(folder, '.git')) ? commitOf(folder) : ARCHIVED
  const [, hash, names = ''] = /^([0-9a-f]{7})[0-9a-f]+ ?(.*)/.exec(commit) ?? []
  return hash === undefined || names.split(', ').includes(`tag: v${version}`) ? version : `${version}+${hash}`
}

/** The hash of the last commit, its branches and tags; empty without Git. */
function commitOf(folder: string): string {
  // Root starts a clone of another account, and Git would not read it.
  const args = ['-c', 'safe.directory=*', '-c', 'log.showSignature=false', 'log', '-1', '--format=%H %D']
  return spawnSync('git', args, { cwd: folder, encoding: 'utf8' }).stdout ?? ''
}
