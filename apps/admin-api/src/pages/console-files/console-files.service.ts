import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { ONCE, untilStarted } from '@switchboard/database/start/until-started'
import type { Deps } from '#src/deps.ts'
import { deleteOldFiles, insertFile, recordStart } from './console-files.queries.ts'

/** Files are deleted this many days after the last start of an admin-api with these files. */
const KEPT_DAYS = 90

/** Media types of the shared files below `/assets/`. */
export const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/**
 * Shares the files of this release with admin-apis of other releases over the same database. Without sharing, pages of
 * this release may be blank while both releases run behind the same load balancer.
 */
export async function shareConsoleFiles(
  { db, log }: Pick<Deps, 'db' | 'log'>,
  folder: string,
  patience = ONCE,
): Promise<void> {
  const assets = path.join(folder, 'assets')
  const names = (await readdir(assets)).filter((name) => path.extname(name) in MEDIA_TYPES)
  const share = async () => {
    const stored = await recordStart(db, names)
    for (const name of names) if (!stored.has(name)) await insertFile(db, name, await readFile(path.join(assets, name)))
    await deleteOldFiles(db, KEPT_DAYS)
  }
  try {
    await untilStarted('the database', share, patience)
  } catch (error) {
    // The server can still serve its own pages, for example while the database is read-only.
    log.warn({ err: error }, 'the files of the console could not be shared with other servers')
  }
}
