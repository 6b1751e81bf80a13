import { makeReview, makeTask, makeTenant } from '@switchboard/testing/factories'
import { createTestDatabase } from '@switchboard/testing/test-database'
import { startMapsEmulator } from '@switchboard/maps-emulator/maps-emulator'
import { createPlacesClient } from '@switchboard/places/places.client'
import { sql } from 'kysely'
import { afterAll, expect, inject, test, vi } from 'vitest'
import { startWorker } from '#tests/server-process.ts'

const { db, url: databaseUrl, drop } = await createTestDatabase(inject('postgresUrl'))
const now = () => new Date()
const emulator = await startMapsEmulator({ now })
const places = createPlacesClient({ url: emulator.url, apiKey: 'any', now })
afterAll(async () => {
  await places.close()
  await emulator.close()
  await drop()
})

/** All rows of all tables, including the tables of the jobs, as text. */
async function allRows(): Promise<string> {
  const tables = await sql<{ schema: string; name: string }>`
    select table_schema as schema, table_name as name from information_schema.tables
    where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`.execute(db)
  const texts = await Promise.all(
    tables.rows.map(async ({ schema, name }) => {
      const { rows } = await sql<{ row: string }>`
        select to_jsonb(each)::text as row from ${sql.table(`${schema}.${name}`)} as each`.execute(db)
      return rows.map(({ row }) => row).join('\n')
    }),
  )
  return texts.join('\n')
}

test('with REVIEW_STORAGE=off a real worker counts reviews and stores no part of them', async () => {
  const { id: tenant_id } = await makeTenant(db)
  const task = await makeTask(db, { tenant_id, next_run: new Date(Date.now() - 60_000) })
  await makeReview(db, { task_id: task.id, author_name: 'Grace Hopper', text: 'Kept before it was off.' })
  const { reviews, rating } = await places.placeDetails(task.extra_data.place_id)
  const values = reviews.flatMap(({ name, text, original_text, author_name, author_uri, author_photo_uri }) => [
    name,
    text,
    original_text,
    author_name,
    author_uri,
    author_photo_uri,
  ])
  const secrets = [...new Set(values.filter((each) => each !== null)), 'Grace Hopper', 'Kept before it was off.']
  expect(secrets.length).toBeGreaterThan(10)
  expect(await allRows()).toContain('Kept before it was off.')

  const worker = startWorker({ databaseUrl, mapsUrl: emulator.url, settings: { REVIEW_STORAGE: 'off' } })
  await worker.ready()
  const run = await vi.waitFor(
    async () => {
      const found = await db.selectFrom('runs').selectAll().where('task_id', '=', task.id).executeTakeFirst()
      expect(found?.finished_at).toEqual(expect.any(String))
      return found
    },
    { timeout: 60_000, interval: 100 },
  )
  worker.child.kill('SIGTERM')
  expect(await worker.ended).toEqual({ code: 0, stderr: '' })

  expect(run).toMatchObject({
    outcome: 'succeeded',
    reviews_returned: reviews.length,
    reviews_new: null,
    reviews_changed: null,
  })
  const kept = `${await allRows()}\n${worker.output()}`
  expect(kept).toContain(task.id)
  expect(secrets.filter((each) => kept.includes(each))).toEqual([])
  const after = await db.selectFrom('tasks').selectAll().where('id', '=', task.id).executeTakeFirstOrThrow()
  expect(rating).not.toBeNull()
  expect(after).toMatchObject({ are_reviews_kept: false, pulled_place: null, last_outcome: 'succeeded' })
})
