import { createTestDatabase } from '@switchboard/testing/test-database'
import { ONCE } from '@switchboard/database/start/until-started'
import { sql } from 'kysely'
import { expect, inject, onTestFinished, test } from 'vitest'
import { createLogger } from './log.ts'
import { openDatabase, encryptionWarnings } from './open-database.ts'

const CLEAR = 'The connection to the database db.internal:5432/d is not encrypted. Add sslmode=verify-full to'
const ISOLATED = 'or sslmode=disable in an isolated network.'

test.for([
  ['postgresql://db.internal/d', [`${CLEAR} DATABASE_URL, ${ISOLATED}`]],
  ['postgresql://db.internal/d?sslmode=disable', []],
  [
    'postgresql://db.internal/d?sslmode=no-verify',
    [
      'The connection to the database db.internal:5432/d does not check the certificate of the server. Add sslmode=verify-full to DATABASE_URL, or sslmode=disable in an isolated network.',
    ],
  ],
  ['postgresql://db.internal/d?sslmode=require', []],
  ['postgresql://localhost/d', []],
  ['postgresql://u@localhost/d?host=/run/postgresql', []],
] as const)('%s is warned of by %o', ([url, sentences]) => {
  expect(encryptionWarnings({ url, directUrl: url })).toEqual(sentences)
})

test('a warning about the direct URL names DATABASE_DIRECT_URL', () => {
  const urls = { url: 'postgresql://pooler.internal/d?sslmode=verify-full', directUrl: 'postgresql://db.internal/d' }
  expect(encryptionWarnings(urls)).toEqual([`${CLEAR} DATABASE_DIRECT_URL, ${ISOLATED}`])
})

test('the main pool respects its limit', async () => {
  const { url, drop } = await createTestDatabase(inject('postgresUrl'))
  onTestFinished(drop)
  const db = await openDatabase({ url, directUrl: url }, { max: 2, log: createLogger('silent'), patience: ONCE })
  const queries = Array.from({ length: 8 }, () =>
    sql<{ pid: number }>`select pg_backend_pid() as pid, pg_sleep(0.02)`.execute(db),
  )
  const pids = (await Promise.all(queries)).map(({ rows }) => rows[0]?.pid)
  await db.destroy()
  expect(new Set(pids).size).toBe(2)
})
