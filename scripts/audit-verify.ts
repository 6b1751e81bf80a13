import { type AuditAnchor, verifyAuditChain } from '@switchboard/database/audit-chain'
import { checkDatabase } from '@switchboard/server/open-database'
import { runCommand } from './command.ts'

// `npm run audit:verify` recomputes the audit log's hash chain and prints its end. Keep that line outside the database
// and pass it next time, `npm run audit:verify -- 42:9f…`, so that rows cut off the end show too.

const [anchorText] = process.argv.slice(2)
const anchor = anchorText === undefined ? undefined : anchorOf(anchorText)

await runCommand(checkDatabase, async (db) => {
  const verdict = await verifyAuditChain(db, anchor)
  if (!verdict.ok) {
    console.error(`The audit log does not hold. ${verdict.problem}`)
    process.exitCode = 1
    return
  }
  console.log(`The audit log holds: ${verdict.rows} rows. Its end is ${verdict.head.seq}:${verdict.head.hash}`)
})

function anchorOf(text: string): AuditAnchor {
  const [, seq, hash] = /^(\d{1,15}):([\da-f]{64})$/.exec(text) ?? []
  if (seq === undefined || hash === undefined) {
    console.error('An anchor is what an earlier run printed: a row number, a colon, 64 hexadecimal digits.')
    process.exit(1)
  }
  return { seq: Number(seq), hash }
}
