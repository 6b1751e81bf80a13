import { createPublicKey, type KeyObject } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { AuditAnchor } from '@switchboard/database/audit/audit-anchor'
import { readAuditFile } from '@switchboard/database/audit/audit-file'
import { checkAuditFiles, publicKeysOf } from '@switchboard/database/audit/audit-files'
import { type ChainState, checkAuditChain } from '@switchboard/database/audit/audit-chain'
import { deletedEnd } from '@switchboard/database/audit/deleted-months'
import { fileError, StartError } from '@switchboard/database/start/start-error'
import type { Database } from '@switchboard/database/tables'
import { checkDatabase } from '@switchboard/server/process/open-database'
import { readSettings } from '@switchboard/server/settings/env'
import type { Kysely } from 'kysely'
import { argumentsOf, runCommand } from './command.ts'

// `npm run audit:verify` recomputes the audit log's hash chain and prints its end. Keep this line outside the database
// and pass the line to the next check, `npm run audit:verify -- 42:9f…`, to detect rows removed from the end. With
// AUDIT_FILES, the command also reads the files of the log sink. Without it, deleted months fail the check, unless
// `--without-files` accepts them unchecked. `npm run audit:verify -- FILE` checks only this file. `--key` names the public key
// of a former log sink.

const {
  values: given,
  positionals,
  refuse,
} = argumentsOf(
  'audit:verify',
  {
    '': 'checks the hash chain of the audit log and the files in AUDIT_FILES, and prints its end',
    'SEQ:HASH': 'also compares with the end that an earlier run printed',
    FILE: 'checks only this file of a log sink',
    '--key KEY.PEM': 'also accepts files that this key verifies, such as those of a deleted log sink',
    '--without-files': 'accepts deleted rows without a check of files',
  },
  {
    allowPositionals: true,
    options: {
      'without-files': { type: 'boolean', default: false },
      key: { type: 'string', multiple: true, default: [] },
    },
  },
)
const [subject, ...rest] = positionals
if (rest.length > 0) refuse()
const isEnd = subject !== undefined && /^\d+:/.test(subject)
const noted = isEnd ? anchorOf(subject) : undefined

await runCommand(checkDatabase, async (db) => {
  if (subject === undefined || isEnd) return await checkLog(db)
  const { day, before, end } = await readAuditFile(subject, await keysOf(db))
  console.log(`${subject} holds: ${day}, with rows ${before.seq + 1} to ${end.seq}. Its end is ${end.seq}:${end.hash}`)
})

async function checkLog(db: Kysely<Database>): Promise<void> {
  let last: ChainState | undefined
  for await (const state of checkAuditChain(db, { noted })) {
    last = state
    if (process.stderr.isTTY) process.stderr.write(`\r${state.checked.seq} of ${state.rows} rows `)
  }
  if (process.stderr.isTTY) process.stderr.write('\r')
  if (last?.state !== 'holds')
    return fail(`The audit log does not hold. ${last?.state === 'broken' ? last.problem : ''}`)
  const deleted = deletedEnd(last.deleted).seq
  const { entries, oldest_seconds } = last.unsealed
  console.log(`The audit log holds: ${last.rows - deleted} rows. Its end is ${last.checked.seq}:${last.checked.hash}`)
  if (entries > 0)
    console.log(
      `Not proven: ${entries} entries that are not sealed yet, the oldest for ${Math.round(oldest_seconds)} s. Until a worker seals them, the owner of the database can change or remove them without a trace.`,
    )
  const folder = readSettings().auditFiles
  if (folder === undefined) checkDeleted(deleted)
  else await checkFiles(db, folder)
}

function checkDeleted(deleted: number): void {
  if (deleted === 0) return
  const unchecked = `Rows 1 to ${deleted} were deleted, and no files of them were checked.`
  if (given['without-files']) console.log(unchecked)
  else fail(`${unchecked} Set AUDIT_FILES to check the files of a log sink, or accept this with --without-files.`)
  if (noted !== undefined && noted.seq <= deleted) fail(`Row ${noted.seq} was deleted and not compared.`)
}

async function checkFiles(db: Kysely<Database>, folder: string): Promise<void> {
  try {
    const found = await checkAuditFiles(db, folder, { publicKeys: await keysOf(db), noted })
    console.log(found === null ? `${folder} has no files.` : `The files hold: rows ${found.first} to ${found.last}.`)
  } catch (error) {
    if (!(error instanceof StartError)) throw error
    fail(`The files do not hold. ${error.message}`)
  }
}

/** The key of the log sink, and those of `--key`. */
async function keysOf(db: Kysely<Database>): Promise<KeyObject[]> {
  return [...(await publicKeysOf(db)), ...(await Promise.all(given.key.map(publicKeyIn)))]
}

async function publicKeyIn(file: string): Promise<KeyObject> {
  try {
    return createPublicKey(await readFile(file))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT')
      throw new StartError(`${file} is missing.`)
    if (error instanceof Error && 'opensslErrorStack' in error) throw new StartError(`${file} is not a public key.`)
    throw fileError(error, file)
  }
}

function fail(sentence: string): void {
  console.error(sentence)
  process.exitCode = 1
}

function anchorOf(text: string): AuditAnchor {
  const [, seq, hash] = /^(\d{1,15}):([\da-f]{64})$/.exec(text) ?? []
  if (seq === undefined || hash === undefined) {
    console.error('Pass the end that an earlier run printed: a row number, a colon, 64 hexadecimal digits.')
    process.exit(1)
  }
  return { seq: Number(seq), hash }
}
