import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
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
import { spawnSync } from 'node:child_process'
import { type Account, accountCan, initdbAccount, isSharedUser, unprivilegedAccount } from './account.ts'
import { makeSystemFolder, SYSTEM_FOLDER } from './binaries.ts'
import { MAJOR } from './settings.ts'
import { fileError, StartError } from '@switchboard/database/start/start-error'

/** A cluster under construction has this prefix until it is complete. */
export const DRAFT = 'postgres.new-'

/**
 * The folder of the cluster of `dataDir`: `dataDir/postgres`. When `account` cannot write there, this is a link into
 * SYSTEM_FOLDER. The link names the data, not a hash of the path: a moved checkout finds its data, and a removed data
 * folder means a fresh start.
 */
export function clusterFolder(dataDir: string, account: Account | undefined): string {
  const inPlace = join(dataDir, 'postgres')
  try {
    const stat = lstatSync(inPlace, { throwIfNoEntry: false })
    if (stat?.isSymbolicLink()) return linkedCluster(inPlace)
    if (stat !== undefined || account === undefined || canWrite(dataDir, account))
      return join(realpathSync(dataDir), 'postgres')
    return linkCluster(inPlace)
  } catch (error) {
    throw fileError(error, dataDir)
  }
}

function linkedCluster(link: string): string {
  const target = readlinkSync(link)
  // The folder around a missing cluster exists after a first start that was killed early.
  if (existsSync(dirname(target))) return join(realpathSync(dirname(target)), basename(target))
  throw new StartError(`${link} points to ${target}, which is missing. Restore it, or remove the link to start empty.`)
}

function canWrite(dataDir: string, account: Account): boolean {
  const probe = mkdtempSync(join(dataDir, DRAFT))
  chownSync(probe, account.uid, account.gid)
  const isWritable = accountCan(account, 'cd "$1" && : >probe', probe)
  rmSync(probe, { recursive: true, force: true })
  return isWritable
}

function linkCluster(link: string): string {
  makeSystemFolder()
  const folder = mkdtempSync(join(SYSTEM_FOLDER, 'data-'))
  symlinkSync(join(folder, 'postgres'), link)
  return join(folder, 'postgres')
}

/**
 * The major version of the cluster in `folder`, this one or an earlier one. Undefined: none yet. Throws a StartError for other
 * content and for data of another user.
 */
export function majorOf(folder: string): number | undefined {
  const stat = statSync(folder, { throwIfNoEntry: false })
  if (stat === undefined) return undefined
  const uid = process.getuid?.() ?? 0
  if (uid !== 0 && stat.uid !== uid)
    throw new StartError(`${folder} belongs to another user (uid ${stat.uid}). Start as that user.`)
  const version = versionOf(folder)
  if (version === undefined)
    throw new StartError(`${folder} holds no PostgreSQL data. Move it away or set DATA_DIR to another folder.`)
  const major = Number(version)
  if (major <= MAJOR) return major
  throw new StartError(
    `${folder} was written by PostgreSQL ${version}, but this Switchboard brings ${MAJOR}. Start the Switchboard that wrote it.`,
  )
}

function versionOf(folder: string): string | undefined {
  try {
    return readFileSync(join(folder, 'PG_VERSION'), 'utf8').trim()
  } catch {
    return undefined
  }
}

/** Names of the files of Switchboard in a data folder. */
const OWN_FILES =
  /^(postgres|postgres\.new-.*|postgres-\d+|postgres-upgraded|backups|postgres\.log(\.1)?|postgres-password|server\.(lock|pid)|webhook-secret|demo\.json)$/

/**
 * Closes a data folder to all other users, and gives the folder to `account` when given. A folder with other files
 * stays unchanged.
 */
export function closeFolder(folder: string, account: Account | undefined): void {
  const isOwner = account !== undefined || statSync(folder).uid === process.getuid?.()
  if (!isOwner || !readdirSync(folder).every((name) => OWN_FILES.test(name))) return
  chmodSync(folder, 0o700)
  if (account !== undefined) chownSync(folder, account.uid, account.gid)
}

/**
 * The account for PostgreSQL and the servers when this process is root: the owner of an existing cluster, or an account
 * of our own instead of root and of accounts that other programs use.
 */
export function accountOf(dataDir: string): Account | undefined {
  const account = unprivilegedAccount()
  const stat = statSync(join(dataDir, 'postgres'), { throwIfNoEntry: false })
  if (account === undefined || stat === undefined || stat.uid === 0 || isSharedUser(stat.uid)) return account
  return { uid: stat.uid, gid: stat.gid }
}

/** Gives the data of a stopped cluster to `account`: PostgreSQL insists on owning its data. */
export function adoptCluster(folder: string, account: Account | undefined): void {
  if (account === undefined || statSync(folder).uid === account.uid) return
  const { status, stderr } = spawnSync('chown', ['-R', `${account.uid}:${account.gid}`, folder], { encoding: 'utf8' })
  if (status !== 0) throw new StartError(`${folder} cannot be given to user ${account.uid}: ${stderr.trim()}.`)
}

/**
 * Creates the cluster at `folder`: `fill` writes a draft beside the folder. The finished draft is renamed, so a kill at
 * any moment leaves a complete cluster or none.
 */
export async function createCluster(
  folder: string,
  account: Account | undefined,
  fill: (draft: string, maker: Account | undefined) => Promise<void>,
): Promise<void> {
  const parent = dirname(folder)
  const mode = statSync(parent).mode & 0o7777
  const maker = account === undefined ? undefined : initdbAccount(account)
  const outer = mkdtempSync(join(parent, DRAFT))
  const draft = join(outer, 'postgres')
  try {
    mkdirSync(draft, { mode: 0o700 })
    if (account !== undefined && maker !== undefined) {
      // The maker enters by the group of the account, because no other process has this group.
      chownSync(outer, 0, account.gid)
      chmodSync(parent, mode | 0o010)
      chmodSync(outer, 0o710)
      chownSync(draft, maker.uid, maker.gid)
    }
    await fill(draft, maker)
    adoptCluster(draft, account)
    renameSync(draft, folder)
    syncFolder(parent)
  } catch (error) {
    throw fileError(error, parent)
  } finally {
    if (account !== undefined) chmodSync(parent, mode)
    rmSync(outer, { recursive: true, force: true, maxRetries: 3 })
  }
}

/** Removes the drafts of killed starts. */
export function removeDrafts(folder: string): void {
  const parent = dirname(folder)
  for (const name of readdirSync(parent).filter((each) => each.startsWith(DRAFT))) {
    try {
      rmSync(join(parent, name), { recursive: true, force: true })
    } catch {
      // A dying initdb still writes into the draft: the next start removes the rest.
    }
  }
}

/** Makes a rename survive a power failure. Not needed on Windows, and not allowed there. */
export function syncFolder(folder: string): void {
  if (process.platform === 'win32') return
  const fd = openSync(folder, 'r')
  fsyncSync(fd)
  closeSync(fd)
}
