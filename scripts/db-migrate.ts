import { pendingMigrations, tryMigrations } from '@switchboard/database/migrate'
import { checkRights } from '@switchboard/database/start/check-rights'
import { checkSearchPath } from '@switchboard/database/start/check-search-path'
import { migrateDatabase } from '@switchboard/server/process/open-database'
import { commandHere } from '@switchboard/server/settings/commands'
import { runCommand } from './command.ts'

// `npm run db:migrate` brings the database to this release, after any migration by another process. `npm run db:migrate --
// status` lists pending migrations and exits with 1 if there are any; `-- dry-run` runs them and rolls back.

const changeNothing = async () => undefined
const [mode = 'apply', ...rest] = process.argv.slice(2)

if (rest.length > 0) refuse()
else if (mode === 'apply')
  await runCommand(
    async (url) => await migrateDatabase(url),
    async () => console.log('The database has all migrations of this release.'),
  )
else if (mode === 'status')
  await runCommand(changeNothing, async (db) => {
    await checkSearchPath(db, { isInstalled: false })
    const pending = await pendingMigrations(db)
    console.log(pending.length === 0 ? 'No migration is pending.' : `Pending: ${pending.join(', ')}`)
    process.exitCode = pending.length === 0 ? 0 : 1
  })
else if (mode === 'dry-run')
  await runCommand(changeNothing, async (db, url) => {
    await checkRights({ db, url, variable: 'DATABASE_URL' })
    const tried = await tryMigrations(db)
    console.log(tried.length === 0 ? 'No migration is pending.' : `Succeeded and rolled back: ${tried.join(', ')}`)
  })
else refuse()

function refuse(): void {
  const [status, dryRun] = [commandHere('db:migrate', 'status'), commandHere('db:migrate', 'dry-run')]
  console.error(`Run "${commandHere('db:migrate')}", or to change nothing "${status}" or "${dryRun}".`)
  process.exitCode = 1
}
