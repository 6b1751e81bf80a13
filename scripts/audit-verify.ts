import { type AuditAnchor, type ChainState, checkAuditChain } from '@switchboard/database/audit/audit-chain'
import { checkDatabase } from '@switchboard/server/process/open-database'
import { runCommand } from './command.ts'

// `npm run audit:verify` recomputes the audit log's hash chain and prints its end. Keep this line outside the database
// and pass the line to the next check, `npm run audit:verify -- 42:9f…`, to detect rows removed from the end.

const [notedText] = process.argv.slice(2)
const noted = notedText === undefined ? undefined : anchorOf(notedText)

await runCommand(checkDatabase, async (db) => {
  let last: ChainState | undefined
  for await (const state of checkAuditChain(db, { noted })) {
    last = state
    if (process.stderr.isTTY) process.stderr.write(`\r${state.checked.seq} of ${state.rows} rows `)
  }
  if (process.stderr.isTTY) process.stderr.write('\r')
  if (last?.state !== 'holds') {
    console.error(`The audit log does not hold. ${last?.state === 'broken' ? last.problem : ''}`)
    process.exitCode = 1
    return
  }
  const unsealed = last.unsealed === 0 ? '' : ` and ${last.unsealed} entries that are not sealed yet`
  console.log(`The audit log holds: ${last.rows} rows${unsealed}. Its end is ${last.checked.seq}:${last.checked.hash}`)
})

function anchorOf(text: string): AuditAnchor {
  const [, seq, hash] = /^(\d{1,15}):([\da-f]{64})$/.exec(text) ?? []
  if (seq === undefined || hash === undefined) {
    console.error('Pass the end that an earlier run printed: a row number, a colon, 64 hexadecimal digits.')
    process.exit(1)
  }
  return { seq: Number(seq), hash }
}
