import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { startTestWorker } from '#src/testing/test-worker.ts'
import { deleteOldWebhooks } from './old-webhooks.queries.ts'

const { db, newTask } = await startTestWorker({ isStarted: false })

test('webhooks are deleted ten minutes after they were received', async () => {
  const task = await newTask()
  const received = (minutes: number) => ({
    task_id: task.id,
    sent_at: sql<Date>`now() - make_interval(mins => ${minutes})`,
    message_id: crypto.randomUUID(),
    received_at: sql<Date>`now() - make_interval(mins => ${minutes})`,
  })
  const kept = received(9)
  await db
    .insertInto('task_webhooks')
    .values([kept, received(11)])
    .execute()
  await deleteOldWebhooks(db)
  expect(await db.selectFrom('task_webhooks').select('message_id').execute()).toEqual([{ message_id: kept.message_id }])
})
