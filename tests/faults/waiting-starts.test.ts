import { connect } from '@switchboard/database/connection/connect'
import { createEmptyDatabase } from '@switchboard/testing/test-database'
import { sql } from 'kysely'
import { afterAll, expect, inject, onTestFinished, test } from 'vitest'
import { type Script, SHARED_SECRET, startProcess } from '#tests/server-process.ts'
import { restartablePostgres } from './restartable-postgres.ts'

// A server waits for PostgreSQL, and exits at once only if waiting cannot help.

const SERVERS = ['apps/admin-api/src/main.ts', 'apps/ai-api/src/main.ts', 'apps/worker/src/main.ts'] as const
const postgres = await restartablePostgres()
afterAll(() => postgres.remove())

const withParts = (url: string, parts: { password?: string; pathname?: string }) =>
  Object.assign(new URL(url), parts).toString()

const start = (script: Script, url: string, settings: Record<string, string> = {}) => {
  const server = startProcess({ DATABASE_URL: url, WEBHOOK_SECRET: SHARED_SECRET, ...settings }, script)
  onTestFinished(() => void server.child.kill('SIGKILL'))
  return server
}

test('servers that start before PostgreSQL say so once and serve when it has started', async () => {
  await postgres.kill('SIGQUIT')
  const servers = SERVERS.map((script) => start(script, postgres.url))
  const line = /Waiting for the database \S+: nothing answers there …/
  for (const { output } of servers) await expect.poll(output).toMatch(line)
  await postgres.start()
  for (const { ready, output } of servers) {
    await ready()
    expect(output().match(new RegExp(line, 'g'))).toHaveLength(1)
  }
  for (const { child, ended } of servers) {
    child.kill('SIGTERM')
    expect(await ended).toEqual({ code: 0, stderr: '' })
  }
})

test.for(SERVERS)('%s gives up with one sentence', async (script) => {
  const server = start(script, 'postgresql://somebody:secret@127.0.0.1:1/none', { START_SECONDS: '1' })
  expect(await server.ended).toEqual({
    code: 1,
    stderr: 'DATABASE_URL: 127.0.0.1:1 refuses connections. Is PostgreSQL running there?\n',
  })
})

test.for([
  [
    'a wrong password',
    (url: string) => withParts(url, { password: 'wrong' }),
    /refuses the user \S+ with this password/,
  ],
  ['a missing database', (url: string) => withParts(url, { pathname: '/none' }), /has no database "none"/],
] as const)('%s ends a start at once', async ([, change, reason]) => {
  const { code, stderr } = await start('apps/ai-api/src/main.ts', change(postgres.url)).ended
  expect([code, stderr.trim().split('\n').length]).toEqual([1, 1])
  expect(stderr).toMatch(/^DATABASE_URL: /)
  expect(stderr).toMatch(reason)
})

test('a start whose pool has no connection left waits for one', async () => {
  await using database = await createEmptyDatabase(inject('postgresUrl'), { isOrdinary: true })
  const { username } = new URL(database.url)
  const admin = connect(inject('postgresUrl'), { max: 1, isPatient: true })
  onTestFinished(() => admin.destroy())
  await sql`alter role ${sql.id(username)} connection limit 0`.execute(admin)
  const server = start('apps/worker/src/main.ts', database.url)
  await expect.poll(server.output).toContain('too many connections for role')
  await sql`alter role ${sql.id(username)} connection limit -1`.execute(admin)
  await server.ready()
  server.child.kill('SIGTERM')
  expect(await server.ended).toEqual({ code: 0, stderr: '' })
})
