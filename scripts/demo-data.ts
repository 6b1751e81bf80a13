import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { connect } from '@switchboard/database/connection/connect'
import { DEMO_DAYS, hasHistory, makeDemoWorld } from '@switchboard/demo-world/demo-world'
import { StartError } from '@switchboard/database/start/start-error'
import type { Database } from '@switchboard/database/tables'
import type { Settings } from '@switchboard/server/settings/env'
import { migrateDatabase } from '@switchboard/server/process/open-database'
import type { Kysely } from 'kysely'
import { z } from 'zod'
import { createPasswords } from '@switchboard/sign-in/passwords'
import { consoleSettings } from '#apps/admin-api/src/serve-admin-api.ts'
import { createFirstAdmin } from '#apps/admin-api/src/users/super-admins.service.ts'
import { demoMaps } from './demo-maps.ts'
import type { Say, SignIn } from './product.ts'

/** Marks a data folder as a demo, with the sign-in of its world. A password from the settings is not stored. */
const demoMark = z.object({ email: z.string(), password: z.string().nullable() })
type DemoMark = z.infer<typeof demoMark>

const DAY_MS = 86_400_000

/**
 * Creates the world in a new data folder, and returns the sign-in. Completes an interrupted creation. Throws a
 * StartError for a folder with other data.
 */
export async function prepareDemo(settings: Settings, databaseUrl: string, say: Say): Promise<SignIn> {
  await migrateDatabase(databaseUrl, { announce: say })
  // Errors of connections that close are expected, as in a migration.
  const db = connect(databaseUrl, { isPatient: true, onLost: () => undefined })
  try {
    const file = path.join(settings.dataDir, 'demo.json')
    const mark = existsSync(file)
      ? demoMark.parse(JSON.parse(await readFile(file, 'utf8')))
      : await markFolder(file, db, settings)
    if (!(await hasHistory(db))) {
      say('Making the demo world …')
      await makeWorld(db, settings, mark)
    }
    const { email, password } = mark
    return {
      email,
      password: password === null ? 'SUPER_ADMIN_PASSWORD of the first start' : `${password}  (until you change it)`,
    }
  } finally {
    await db.destroy()
  }
}

/** Marks the folder before the first write to its database. */
async function markFolder(file: string, db: Kysely<Database>, settings: Settings): Promise<DemoMark> {
  const { superAdminEmail, superAdminPassword, dataDir } = settings
  if (await isInUse(db))
    throw new StartError(`${dataDir} holds a Switchboard that is no demo. Set DATA_DIR to another folder.`)
  const password = superAdminPassword === undefined ? randomBytes(15).toString('base64url') : null
  const mark = { email: superAdminEmail, password }
  await writeFile(file, JSON.stringify(mark), { mode: 0o600 })
  return mark
}

async function isInUse(db: Kysely<Database>): Promise<boolean> {
  return (await db.selectFrom('users').select('id').limit(1).executeTakeFirst()) !== undefined
}

async function makeWorld(db: Kysely<Database>, settings: Settings, { email, password }: DemoMark): Promise<void> {
  const now = new Date()
  const createdAt = new Date(now.getTime() - DEMO_DAYS * DAY_MS)
  const passwords = await createPasswords()
  const deps = {
    db,
    now: () => createdAt,
    randomBytes,
    passwords,
    consoleSettings: consoleSettings(settings),
  }
  await createFirstAdmin(deps, { email, password: password ?? settings.superAdminPassword ?? null })
  // The password is discarded: a sign-in as an invented account is refused like a wrong password.
  const passwordHash = await passwords.hash(randomBytes(24).toString('base64url'))
  await makeDemoWorld(db, { now, maps: demoMaps, passwordHash })
}
