import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Deps } from '#src/deps.ts'
import { deleteOldFiles, insertFile, noteStart } from './console-files.queries.ts'

/** How long the files of a release are kept after the last start of an admin-api with them. */
const KEPT_DAYS = 90

/** The media types of the files below `/assets/` that are shared. */
export const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/**
 * Shares the files of this release with the admin-apis of other releases over the same database, which serve them to the
 * pages of this one. Without it those pages may be blank while both run behind one balancer.
 */
export async function shareConsoleFiles({ db, log }: Pick<Deps, 'db' | 'log'>, folder: string): Promise<void> {
  const assets = path.join(folder, 'assets')
  const names = (await readdir(assets)).filter((name) => path.extname(name) in MEDIA_TYPES)
  try {
    const stored = await noteStart(db, names)
    for (const name of names) if (!stored.has(name)) await insertFile(db, name, await readFile(path.join(assets, name)))
    await deleteOldFiles(db, KEPT_DAYS)
  } catch (error) {
    // The server can serve its own pages all the same, for example over a database that is read-only for now.
    log.warn({ err: error }, 'the files of the console could not be shared with other servers')
  }
}
