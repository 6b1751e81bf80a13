import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  fsyncSync,
  lstatSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { type Account, accountCan } from './account.ts'
import { makeSystemFolder, SYSTEM_FOLDER } from './binaries.ts'
import { fileError, StartError } from '#src/start-error.ts'

/** The version of PostgreSQL's data that the embedded binaries read. */
const MAJOR = '18'

/** A cluster that is being made has a name of its own until it is whole. */
const DRAFT = 'postgres.new-'

/**
 * Where the cluster of `dataDir` is, or shall be: `dataDir/postgres`. When `account` cannot keep files there, that is a
 * link into SYSTEM_FOLDER. The link, not a name computed from the path, says where the data is: a moved checkout finds
 * its data, and a removed data folder means a fresh start.
 */
export function clusterFolder(dataDir: string, account: Account | undefined): string {
  const inPlace = join(dataDir, 'postgres')
  try {
    const found = lstatSync(inPlace, { throwIfNoEntry: false })
    if (found?.isSymbolicLink()) return linkedCluster(inPlace)
    if (found !== undefined || account === undefined || canKeepFiles(dataDir, account))
      return join(realpathSync(dataDir), 'postgres')
    return linkCluster(inPlace)
  } catch (error) {
    throw fileError(error, dataDir)
  }
}

function linkedCluster(link: string): string {
  const target = readlinkSync(link)
  // The folder around a missing cluster exists: the first start was killed before the cluster was whole.
  if (existsSync(dirname(target))) return join(realpathSync(dirname(target)), basename(target))
  throw new StartError(`${link} points to ${target}, which is missing. Restore it, or remove the link to start empty.`)
}

function canKeepFiles(dataDir: string, account: Account): boolean {
  const probe = draftFolder(dataDir, account)
  const can = accountCan(account, 'cd "$1" && : >probe', probe)
  rmSync(probe, { recursive: true, force: true })
  return can
}

function linkCluster(link: string): string {
  makeSystemFolder()
  const folder = mkdtempSync(join(SYSTEM_FOLDER, 'data-'))
  chmodSync(folder, 0o755)
  symlinkSync(join(folder, 'postgres'), link)
  return join(folder, 'postgres')
}

/**
 * Whether there is a cluster at `folder` that this release and this process can use. False: none yet.
 * Throws a StartError when something else is there.
 */
export function clusterExists(folder: string): boolean {
  const stat = statSync(folder, { throwIfNoEntry: false })
  if (stat === undefined) return false
  const me = process.getuid?.() ?? 0
  if (me !== 0 && stat.uid !== me)
    throw new StartError(`${folder} belongs to another user (uid ${stat.uid}). Start as that user.`)
  const version = versionOf(folder)
  if (version === undefined)
    throw new StartError(`${folder} holds no PostgreSQL data. Move it away or set DATA_DIR to another folder.`)
  if (version === MAJOR) return true
  throw new StartError(
    `${folder} was written by PostgreSQL ${version}, but this Switchboard brings ${MAJOR}: dump and restore it, or set DATABASE_URL.`,
  )
}

function versionOf(folder: string): string | undefined {
  try {
    return readFileSync(join(folder, 'PG_VERSION'), 'utf8').trim()
  } catch {
    return undefined
  }
}

/** The account that the data of an existing cluster belongs to, when this process may choose; PostgreSQL insists on it. */
export function accountOfCluster(folder: string, otherwise: Account | undefined): Account | undefined {
  const { uid, gid } = statSync(folder)
  return otherwise === undefined || uid === 0 ? otherwise : { uid, gid }
}

/**
 * Makes the cluster at `folder` by `fill`, which writes it into a draft beside it. The finished draft is renamed, so a
 * kill at any moment leaves a whole cluster or none.
 */
export async function createCluster(
  folder: string,
  account: Account | undefined,
  fill: (draft: string) => Promise<void>,
): Promise<void> {
  const parent = dirname(folder)
  const draft = draftFolder(parent, account)
  try {
    await fill(draft)
    renameSync(draft, folder)
    syncFolder(parent)
  } catch (error) {
    rmSync(draft, { recursive: true, force: true, maxRetries: 3 })
    throw fileError(error, parent)
  }
}

/** Removes what starts that were killed left beside the cluster. */
export function removeDrafts(folder: string): void {
  const parent = dirname(folder)
  for (const left of readdirSync(parent).filter((name) => name.startsWith(DRAFT))) {
    try {
      rmSync(join(parent, left), { recursive: true, force: true })
    } catch {
      // A dying initdb still writes into it: the next start removes the rest.
    }
  }
}

function draftFolder(parent: string, account: Account | undefined): string {
  const draft = mkdtempSync(join(parent, DRAFT))
  if (account !== undefined) chownSync(draft, account.uid, account.gid)
  return draft
}

/** Makes a rename survive a power failure. Windows neither needs nor allows it. */
function syncFolder(folder: string): void {
  if (process.platform === 'win32') return
  const fd = openSync(folder, 'r')
  fsyncSync(fd)
  closeSync(fd)
}
