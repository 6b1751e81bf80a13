import { readdir, readFile } from 'node:fs/promises'
import { type Kysely, sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import type { Database } from '#src/tables.ts'

const folder = new URL('./migrations/', import.meta.url)

/**
 * Brings the database to the newest version: all pending migrations in one transaction, under an advisory lock, so
 * that of many processes starting at once one migrates and a kill in the middle leaves the version before.
 * Throws when a migration fails or when the database is newer than this release.
 */
export async function migrate(db: Kysely<Database>): Promise<void> {
  const { error } = await new Migrator({ db, provider: { getMigrations } }).migrateToLatest()
  if (error !== undefined) throw error
}

async function getMigrations(): Promise<Record<string, Migration>> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.sql')).toSorted()
  const entries = files.map(async (file): Promise<[string, Migration]> => {
    const text = await readFile(new URL(file, folder), 'utf8')
    return [file.replace('.sql', ''), { up: async (db) => void (await sql.raw(text).execute(db)) }]
  })
  return Object.fromEntries(await Promise.all(entries))
}
