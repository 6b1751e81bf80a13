import { createTestDatabase } from '@switchboard/testing/test-database'
import { sql } from 'kysely'
import { afterAll, beforeEach, expect, inject, test } from 'vitest'
import { deleteOldPortalSignIns } from './old-portal-sign-ins.queries.ts'

const { db, drop } = await createTestDatabase(inject('postgresUrl'))
afterAll(drop)
beforeEach(() => db.deleteFrom('portal_sign_ins').execute())

// The columns have milliseconds: a rounded time could be later.
const ago = (age: string) => sql<Date>`date_trunc('milliseconds', now()) - ${age}::interval`

async function makeSignIn(user_id: string, age: string): Promise<void> {
  const signIn = { tenant_id: crypto.randomUUID(), user_id, at: ago(age), outcome: 'done' as const }
  await db.insertInto('portal_sign_ins').values(signIn).execute()
}

const usersLeft = async () =>
  (await db.selectFrom('portal_sign_ins').select('user_id').orderBy('id').execute()).map(({ user_id }) => user_id)

test('a sign-in is kept for 90 days', async () => {
  const user = crypto.randomUUID()
  await makeSignIn(user, '90 days')
  await makeSignIn(user, '89 days')
  await deleteOldPortalSignIns(db)
  expect(await usersLeft()).toEqual([user])
})
