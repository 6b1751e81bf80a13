import type { AuditAnchor } from '@switchboard/database/audit/audit-anchor'
import { checkArchiveFile } from '@switchboard/database/audit/audit-archive-file'
import { type AuditArchive, archivedEnd, fileNameOf } from '@switchboard/database/audit/audit-archives'
import { type ChainState, checkAuditChain } from '@switchboard/database/audit/audit-chain'
import { checkDatabase } from '@switchboard/server/process/open-database'
import { readSettings } from '@switchboard/server/settings/env'
import { argumentsOf, runCommand } from './command.ts'

// `npm run audit:verify` recomputes the audit log's hash chain and prints its end. Keep this line outside the database
// and pass the line to the next check, `npm run audit:verify -- 42:9f…`, to detect rows removed from the end. With
// AUDIT_ARCHIVE, the command also reads the files of the archived months. Without it, archived months fail the check,
// unless `--without-archives` accepts them unchecked.

const WITHOUT_ARCHIVES = '--without-archives'

const { values, positionals, refuse } = argumentsOf(
  'audit:verify',
  {
    '': 'checks the hash chain of the audit log and its archives, and prints its end',
    'SEQ:HASH': 'also compares with the end that an earlier run printed',
    [WITHOUT_ARCHIVES]: 'accepts archived months without a check',
  },
  { allowPositionals: true, options: { 'without-archives': { type: 'boolean', default: false } } },
)
const [notedText, ...rest] = positionals
if (rest.length > 0) refuse()
const noted = notedText === undefined ? undefined : anchorOf(notedText)
const acceptsUnchecked = values['without-archives']

await runCommand(checkDatabase, async (db) => {
  let last: ChainState | undefined
  for await (const state of checkAuditChain(db, { noted })) {
    last = state
    if (process.stderr.isTTY) process.stderr.write(`\r${state.checked.seq} of ${state.rows} rows `)
  }
  if (process.stderr.isTTY) process.stderr.write('\r')
  if (last?.state !== 'holds') {
    fail(`The audit log does not hold. ${last?.state === 'broken' ? last.problem : ''}`)
    return
  }
  const { rows, checked, archives } = last
  const archived = archivedEnd(archives).seq
  const { entries, oldest_seconds } = last.unsealed
  console.log(`The audit log holds: ${rows - archived} rows. Its end is ${checked.seq}:${checked.hash}`)
  if (entries > 0)
    console.log(
      `Not proven: ${entries} entries that are not sealed yet, the oldest for ${Math.round(oldest_seconds)} s. Until a worker seals them, the owner of the database can change or remove them without a trace.`,
    )
  if (archived > 0) await checkArchives(archives, readSettings().auditArchive)
})

async function checkArchives(archives: readonly AuditArchive[], folder: string | undefined): Promise<void> {
  const months = `${archives[0]?.month} to ${archives.at(-1)?.month}, with rows 1 to ${archivedEnd(archives).seq}`
  const holder = archives.find(({ first_seq, last_seq }) => noted && first_seq <= noted.seq && noted.seq <= last_seq)
  if (folder === undefined) {
    const unchecked = `The archives were not checked, so deleted rows could be listed as archived: months ${months}.`
    if (acceptsUnchecked) console.log(unchecked)
    else fail(`${unchecked} Set AUDIT_ARCHIVE to check their files, or accept this with ${WITHOUT_ARCHIVES}.`)
    if (holder !== undefined) fail(`Row ${noted?.seq} is archived in ${fileNameOf(holder)} and was not compared.`)
    return
  }
  for (const archive of archives) {
    const { problem, hashOf } = await checkArchiveFile(folder, archive, noted?.seq)
    if (problem !== null) fail(`The archives do not hold. ${problem}`)
    else if (archive === holder && hashOf !== noted?.hash)
      fail(`Row ${noted?.seq} in ${fileNameOf(archive)} differs from the noted row.`)
  }
  if (process.exitCode === undefined) console.log(`The archives hold: ${months}.`)
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
