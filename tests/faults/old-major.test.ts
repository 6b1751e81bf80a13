import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import { connect } from '@switchboard/database/connection/connect'
import { migrate } from '@switchboard/database/migrate'
import { accountOf, createCluster } from '@switchboard/embedded-postgres/cluster'
import { startEmbeddedPostgres } from '@switchboard/embedded-postgres/embedded-postgres'
import { startServer } from '@switchboard/embedded-postgres/server'
import { watch } from '@switchboard/embedded-postgres/watchdog'
import { makeTenant } from '@switchboard/testing/factories'
import { expect, test } from 'vitest'
import { installedPostgres } from '#tests/installed-postgres.ts'
import { dataFolder, startProcess } from '#tests/server-process.ts'

// Data of an earlier major version of the embedded PostgreSQL.

const OLD = 15
const bin = installedPostgres().find((each) => each.includes(`/${OLD}/`))

test.skipIf(bin === undefined)('data of an earlier PostgreSQL is copied, and the old data is kept', async () => {
  const DATA_DIR = dataFolder()
  await makeOldData(bin ?? '', DATA_DIR)
  try {
    const server = startProcess({ DATA_DIR })
    await server.ready()
    expect(server.output()).toContain(`The data of PostgreSQL ${OLD} is kept in ${path.join(DATA_DIR, 'postgres-15')}.`)
    expect(readdirSync(path.join(DATA_DIR, 'backups'))).toEqual(['before-new-postgresql.backup'])
    server.child.kill('SIGTERM')
    await server.ended
    expect(versionOf(path.join(DATA_DIR, 'postgres'))).toBe('18')
    expect(versionOf(path.join(DATA_DIR, 'postgres-15'))).toBe('15')

    // A kill between the two renames of the end.
    renameSync(path.join(DATA_DIR, 'postgres'), path.join(DATA_DIR, 'postgres-upgraded'))
    renameSync(path.join(DATA_DIR, 'postgres-15'), path.join(DATA_DIR, 'postgres'))
    expect(await tenantsIn(DATA_DIR)).toEqual([{ name: 'Acme' }])
    expect(existsSync(path.join(DATA_DIR, 'postgres-15'))).toBe(true)
  } finally {
    rmSync(DATA_DIR, { recursive: true, force: true })
  }
})

/** A data folder as an earlier release with this PostgreSQL would leave it, with one tenant. */
async function makeOldData(oldBin: string, dataDir: string): Promise<void> {
  mkdirSync(dataDir, { recursive: true })
  chmodSync(dataDir, 0o755)
  const account = accountOf(dataDir)
  const cluster = path.join(dataDir, 'postgres')
  await createCluster(cluster, account, async (draft, maker) => {
    const args = ['-D', draft, '-U', 'switchboard', '--auth=trust', '--encoding=UTF8', '--locale=C.UTF-8', '--no-sync']
    const { exited } = watch(path.join(oldBin, 'initdb'), args, { account: maker, folder: '', stderr: 'pipe' })
    expect(await exited).toBe(0)
  })
  const server = await startServer({ bin: oldBin, cluster, account, durable: false, log: () => undefined, major: OLD })
  const db = connect(server.url, { onLost: () => undefined })
  await migrate(db)
  await makeTenant(db, { name: 'Acme' })
  await db.destroy()
  await server.stop()
}

async function tenantsIn(dataDir: string): Promise<unknown[]> {
  const server = await startEmbeddedPostgres({ dataDir, durable: false, log: () => undefined })
  const db = connect(server.url, { onLost: () => undefined })
  try {
    return await db.selectFrom('tenants').select('name').execute()
  } finally {
    await db.destroy()
    await server.stop()
  }
}

function versionOf(cluster: string): string {
  return readFileSync(path.join(cluster, 'PG_VERSION'), 'utf8').trim()
}
