import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Account } from './account.ts'
import { reasonIn } from './log.ts'
import { watch } from './watchdog.ts'
import { StartError } from '@switchboard/database/start/start-error'

/**
 * PostgreSQL's own sorting and case folding is the same on every machine. Only `pg_trgm` uses the system's character
 * classes: under `C` it ignores every letter beyond ASCII, so the first available locale is used.
 */
const CHARACTER_LOCALES = ['C.UTF-8', 'en_US.UTF-8', 'C']

/** The command line of `initdb` for every system. */
export function initdbArgs(folder: string, locale: string, durable: boolean): string[] {
  return [
    '-D',
    folder,
    '-U',
    'switchboard',
    '--encoding=UTF8',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--locale=C',
    `--lc-ctype=${locale}`,
    '--no-instructions',
    ...(durable ? [] : ['--no-sync']),
  ]
}

/** Fills an empty folder with a new cluster, owned by `account` (POSIX). Throws a StartError with the reason of initdb. */
export async function initdb(
  bin: string,
  folder: string,
  account: Account | undefined,
  durable: boolean,
): Promise<void> {
  let errorOutput = ''
  for (const locale of CHARACTER_LOCALES) {
    // Until the first start sets a password (password.ts), only the account and root can enter the folders.
    const args = [...initdbArgs(folder, locale, durable), '--auth=trust']
    const { exited, stderr } = watch(join(bin, 'initdb'), args, { account, folder: '', stderr: 'pipe' })
    const [code, output] = await Promise.all([exited, stderr === null ? '' : text(stderr)])
    if (code === 0) return
    errorOutput = output
    if (!errorOutput.includes('invalid locale name')) break
  }
  throw new StartError(`PostgreSQL could not create its data in ${dirname(folder)}: ${reasonIn(errorOutput)}.`)
}
