import { renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { connect } from '@switchboard/database/connection/connect'
import { createEmptyDatabase } from '@switchboard/testing/test-database'
import { sql } from 'kysely'
import { expect, inject, onTestFinished, test } from 'vitest'
import { dataFolder, SHARED_SECRET, startProcess, tokenAt } from '#tests/server-process.ts'

const PASSWORD = 'a password for each quarter'

test('a changed password of the database is read from its file, by every connection of running servers', async () => {
  const folder = dataFolder()
  await using database = await createEmptyDatabase(inject('postgresUrl'), { isOrdinary: true })
  const url = new URL(database.url)
  const file = path.join(folder, 'database_url')
  const write = (password: string) => {
    url.password = password
    writeFileSync(`${file}.new`, url.toString())
    renameSync(`${file}.new`, file)
  }
  write('ordinary')
  const superuser = connect(inject('postgresUrl'), { max: 1, isPatient: true })
  onTestFinished(async () => {
    await superuser.destroy()
    rmSync(folder, { recursive: true, force: true })
  })
  const { child, ready, ended } = startProcess({
    DATABASE_URL_FILE: file,
    WEBHOOK_SECRET: SHARED_SECRET,
    SUPER_ADMIN_PASSWORD: PASSWORD,
  })
  const address = await ready()
  const opened = async () => {
    const { rows } = await sql<{ name: string }>`
      select distinct application_name as name from pg_stat_activity where usename = ${url.username} order by name`.execute(
      superuser,
    )
    return rows.map(({ name }) => name)
  }
  await expect.poll(opened).toContain('switchboard listener')
  const before = await opened()
  write('changed')
  await sql`alter role ${sql.id(url.username)} password 'changed'`.execute(superuser)
  const { rows } =
    await sql`select pg_terminate_backend(pid) from pg_stat_activity where usename = ${url.username}`.execute(superuser)
  expect(rows.length).toBeGreaterThan(1)

  // A query may still meet a connection that is closing.
  const canSignIn = () => tokenAt(address, PASSWORD).then(Boolean, () => false)
  await expect.poll(canSignIn).toBe(true)
  // The job queue and the listener open new connections by themselves.
  await expect.poll(opened).toEqual(expect.arrayContaining(before))
  child.kill('SIGTERM')
  expect(await ended).toMatchObject({ code: 0 })
})
