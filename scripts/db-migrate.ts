import { pendingMigrations, tryMigrations } from '@switchboard/database/migrate'
import { checkRights } from '@switchboard/database/start/check-rights'
import { checkSearchPath } from '@switchboard/database/start/check-search-path'
import { migrateDatabase } from '@switchboard/server/process/open-database'
import { argumentsOf, runCommand } from './command.ts'

// `npm run db:migrate` brings the database to this release, after any migration by another process.

const changeNothing = async () => undefined
const { positionals, refuse } = argumentsOf(
  'db:migrate',
  {
    '': 'brings the database to this release',
    status: 'lists pending migrations, and exits with 1 if there are any',
    'dry-run': 'runs the pending migrations and rolls back',
  },
  { allowPositionals: true },
)
const [mode = 'apply', ...rest] = positionals

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
