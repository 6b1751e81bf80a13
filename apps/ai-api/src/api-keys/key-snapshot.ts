import { createHmac, hkdfSync, randomUUID, timingSafeEqual } from 'node:crypto'
import { statSync } from 'node:fs'
import { access, constants, open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { uptime } from 'node:os'
import path from 'node:path'
import { KEY_ENVIRONMENTS } from '@switchboard/contract/api-keys/key-environment'
import { fileError } from '@switchboard/database/start/start-error'
import { z } from 'zod'
import type { KeyRecord } from './key-check.queries.ts'

/** A moment up to which a process knew every change of keys, by each clock in milliseconds. */
export type KnownMoment = {
  /** `performance.now()` of this process. */
  monotonic: number
  /** The clock of the machine. */
  wall: number
  /** The clock of the database. */
  database: number
}

/** The moment of a `performance.now()`, by clocks that have run equally since. */
function momentAt(monotonic: number, database: number): KnownMoment {
  return { monotonic, wall: Date.now() - (performance.now() - monotonic), database }
}

/** Time since `knownUpTo`. The larger time counts, because one of the clocks may have been set back or paused. */
export function ageOf({ monotonic, wall }: KnownMoment): number {
  return Math.max(performance.now() - monotonic, Date.now() - wall)
}

/** Where a snapshot is, and how it proves its origin. */
export type SnapshotFile = {
  file: string
  /** The first secret signs the file, and a signature of each is accepted. */
  secrets: readonly string[]
  /** Host, port and name of the database that the keys are from. */
  database: string
}

/** Good keys as they were at a moment. */
export type KeySnapshot = { knownUpTo: KnownMoment; keys: readonly KeyRecord[] }

export type StaleOptions = {
  /** How long keys known good are accepted, from the moment up to which every change was known. */
  seconds: number
  /** Where the good keys are written for a restart. Null: nowhere. */
  snapshotFile: SnapshotFile | null
  /** Read at the start, because no database answered then. */
  snapshot: KeySnapshot | null
}

const FORMAT = 1
/** Follows the name of the file in the name of an unfinished file. */
const DRAFT = '.draft-'
/** An older draft is left over from a kill. */
const DRAFT_MAX_MS = 60_000
/** Keys in one piece. Between two pieces the process answers requests. */
const PIECE = 250
/** Longest first line, in bytes. */
const HEAD_MAX = 10_000

const head = z.object({
  format: z.literal(FORMAT),
  database: z.string(),
  /** `knownUpTo` by the clocks that outlive the process. `uptime` is the time since the start of the machine. */
  heard: z.object({ wall: z.number(), database: z.number(), uptime: z.number() }),
})
const line = z.object({
  hash: z.string(),
  api_key_id: z.string(),
  tenant_id: z.string(),
  environment: z.enum(KEY_ENVIRONMENTS),
  refusal: z.null(),
  expires_at: z.nullable(z.string()),
  grace_ends_at: z.nullable(z.string()),
  allowed_origins: z.array(z.string()),
})

/**
 * Writes the good ones of `keys` in place of an earlier snapshot: a line of JSON for the moment, one for each key, and
 * the signature of all bytes before it. A kill leaves the earlier snapshot.
 */
export async function writeSnapshot(
  target: SnapshotFile,
  knownUpTo: KnownMoment,
  keys: Iterable<KeyRecord>,
): Promise<void> {
  const { file } = target
  const temporary = `${file}${DRAFT}${randomUUID()}`
  try {
    await writeSigned(temporary, target, knownUpTo, keys)
    await rename(temporary, file)
    await syncFolder(path.dirname(file))
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}

async function writeSigned(
  temporary: string,
  { secrets: [secret = ''], database }: SnapshotFile,
  knownUpTo: KnownMoment,
  keys: Iterable<KeyRecord>,
): Promise<void> {
  const signature = createHmac('sha256', signingKey(secret))
  const handle = await open(temporary, 'wx', 0o600)
  try {
    const write = async (lines: readonly unknown[]) => {
      const text = lines.map((each) => `${JSON.stringify(each)}\n`).join('')
      signature.update(text)
      await handle.appendFile(text)
    }
    const { wall, database: databaseMs } = knownUpTo
    const times = { wall, database: databaseMs, uptime: uptime() * 1_000 - ageOf(knownUpTo) }
    await write([{ format: FORMAT, database, heard: times } satisfies z.infer<typeof head>])
    let piece: KeyRecord[] = []
    for (const key of keys) {
      if (key.refusal === null) piece.push(key)
      if (piece.length < PIECE) continue
      await write(piece)
      piece = []
    }
    await write(piece)
    await handle.appendFile(signature.digest('hex'))
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Removes drafts left over from a kill. Throws a StartError when no snapshot could be written. */
export async function prepareFolder({ file }: SnapshotFile): Promise<void> {
  const folder = path.dirname(file)
  try {
    await access(folder, constants.W_OK)
    const drafts = (await readdir(folder)).filter((name) => name.startsWith(`${path.basename(file)}${DRAFT}`))
    for (const draft of drafts.map((name) => path.join(folder, name)))
      if (ageOfFile(draft) > DRAFT_MAX_MS) await rm(draft, { force: true })
  } catch (error) {
    throw fileError(error, folder)
  }
}

/** Time since the last change of a file in milliseconds; infinite without a file. */
export function ageOfFile(file: string): number {
  const stat = statSync(file, { throwIfNoEntry: false })
  return stat === undefined ? Number.POSITIVE_INFINITY : Date.now() - stat.mtimeMs
}

/** The rename is on the disk as well. Windows opens no folder, and needs no such step. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(folder)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Reads a snapshot. Throws an error with the reason when its keys must not be used. */
export async function readSnapshot(
  { file, secrets, database }: SnapshotFile,
  maxAgeSeconds: number,
): Promise<KeySnapshot> {
  const bytes = await readFile(file)
  const headEnd = bytes.subarray(0, HEAD_MAX).indexOf('\n')
  const first = head.safeParse(jsonOf(bytes.subarray(0, Math.max(headEnd, 0)).toString()))
  if (!first.success) throw new Error('it has another format')
  const signedEnd = bytes.lastIndexOf('\n') + 1
  const signature = Buffer.from(bytes.subarray(signedEnd).toString(), 'hex')
  const isSigned = secrets.some((secret) => {
    const expected = createHmac('sha256', signingKey(secret)).update(bytes.subarray(0, signedEnd)).digest()
    return signature.length === expected.length && timingSafeEqual(signature, expected)
  })
  if (!isSigned) throw new Error('its signature is wrong: it was changed, cut off, or signed with another secret')
  if (first.data.database !== database) throw new Error(`it is of the database ${first.data.database}`)
  const knownUpTo = momentBefore(first.data.heard)
  if (ageOf(knownUpTo) > maxAgeSeconds * 1_000)
    throw new Error(`it is ${Math.round(ageOf(knownUpTo) / 1_000)} seconds old`)
  const lines = bytes
    .subarray(headEnd + 1, signedEnd)
    .toString()
    .split('\n')
    .slice(0, -1)
  return { knownUpTo, keys: lines.map((text) => line.parse(JSON.parse(text))) }
}

/** The moment by the clocks of this process. The age is never taken for less than the machine has run. */
function momentBefore({ wall, database, uptime: uptimeThen }: z.infer<typeof head>['heard']): KnownMoment {
  const wallAge = Date.now() - wall
  if (wallAge < 0) throw new Error('it is of a later time: the clock was set back')
  const uptimeNow = uptime() * 1_000
  // A shorter uptime is one of a later start of the machine.
  const age = Math.max(wallAge, uptimeNow < uptimeThen ? uptimeNow : uptimeNow - uptimeThen)
  return momentAt(performance.now() - age, database)
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function signingKey(secret: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', 'Switchboard snapshot of API keys', 32))
}
