import { recount } from '@switchboard/database/recount'
import { checkDatabase } from '@switchboard/server/process/open-database'
import { argumentsOf, runCommand } from './command.ts'

// `npm run db:recount` compares the counters with the rows, repairs and names differences, with or without running
// servers. Exits with 1 after a repair.

const SHOWN_MAX = 100

argumentsOf('db:recount', { '': 'compares the counters with the rows, and repairs and names differences' }, {})

await runCommand(checkDatabase, async (db) => {
  const differences = await recount(db)
  if (differences.length === 0) {
    console.log('All counters are correct.')
    return
  }
  for (const { where, kept, counted } of differences.slice(0, SHOWN_MAX))
    console.error(`${where}: the counter was ${kept}, the number of rows is ${counted}.`)
  const unnamed = differences.length - SHOWN_MAX
  if (unnamed > 0) console.error(`… and ${unnamed} more.`)
  console.error(
    `${differences.length} counters were wrong and have been corrected. Find the cause: a write without triggers.`,
  )
  process.exitCode = 1
})
