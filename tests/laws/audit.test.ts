import { sealAudit } from '@switchboard/database/audit/seal-audit'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { ACTION_LABELS } from '#apps/console/src/activity/action-labels.ts'
import { ACCOUNT_CALLS } from './audit/account-calls.ts'
import { API_KEY_CALLS } from './audit/api-key-calls.ts'
import { AUDITED_ACTIONS, CHANGES, NOT_IN_THE_LOG } from './audit/audited-actions.ts'
import { type AuditedCalls, startAuditedApi } from './audit/audited-call.ts'
import { SECOND_FACTOR_CALLS } from './audit/second-factor-calls.ts'
import { SIGNAL_CALLS } from './audit/signal-calls.ts'
import { TASK_CALLS } from './audit/task-calls.ts'
import { TEAM_CALLS } from './audit/team-calls.ts'
import { TENANT_CALLS } from './audit/tenant-calls.ts'
import { USER_CALLS } from './audit/user-calls.ts'
import { dumpOf } from './dump.ts'
import { refuseUndescribed } from './audit/described-event.ts'
import { failAt, prepareWriteFaults } from './write-faults.ts'

// Every change writes its audit row in the same transaction: both are committed, or neither. The contract says which
// calls change something, so a new one fails here until it has a case or a reason.

/** Audited changes without a case in this test, and where they have one. */
const TESTED_ELSEWHERE: Record<string, string> = {
  'tasks.run': 'ai-api writes the row, with the run: execute-task.test.ts.',
  'runs.bulk': 'Needs the job queue: run-retry.test.ts.',
  'places.generate_id': 'Changes only the count of look-ups, before the call to Google: places.test.ts.',
  'single_sign_on.session': 'Needs an identity provider: single-sign-on.test.ts.',
  'single_sign_on.logout': 'Needs an identity provider: codes.test.ts.',
  'system.back_up': 'A backup is a file: system.test.ts.',
  'keys.report': 'A call of ai-api: key-reports.test.ts.',
  'users.password': 'A call of ai-api: change-password.test.ts.',
  'users.accept_invitation': 'A call of ai-api: accept-invitation.test.ts.',
}

const CALLS: AuditedCalls = {
  ...TENANT_CALLS,
  ...USER_CALLS,
  ...API_KEY_CALLS,
  ...TASK_CALLS,
  ...TEAM_CALLS,
  ...ACCOUNT_CALLS,
  ...SECOND_FACTOR_CALLS,
  ...SIGNAL_CALLS,
}

const { mailbox, api } = await startAuditedApi()
afterAll(() => mailbox.close())
const { db } = api
await prepareWriteFaults(db)

test('every audited action has a label on screen, and every label an action', () => {
  expect(Object.keys(ACTION_LABELS).toSorted()).toEqual(AUDITED_ACTIONS.toSorted())
})

test('every change has one case, or the reason why it has none', () => {
  const cases = [CALLS, NOT_IN_THE_LOG, TESTED_ELSEWHERE].flatMap((each) => Object.keys(each))
  expect(cases.toSorted()).toEqual(CHANGES.toSorted())
})

test.for(Object.entries(CALLS))('%s and its audit row are committed together or not at all', async ([action, make]) => {
  // An earlier case may have demanded a second factor of everyone.
  await db.updateTable('security_settings').set({ second_factor_required: false }).execute()
  const actor = await api.signIn()
  const { method, path, body, audited_as = action } = await make({ api, db, actor })
  const send = async () => {
    // The number of password reset links is limited per hour.
    await db.deleteFrom('sign_in_attempts').execute()
    return await actor.call({ method, url: `/api/v1/admin${path}`, ...(body === undefined ? {} : { body }) })
  }
  // A failed sign-in is counted first, so that parallel attempts cannot outrun the count.
  const world = async () => await dumpOf(db, ['sign_in_attempts'])

  await sealAudit(db)
  const before = await world()
  await sql`create trigger audit_is_broken before insert on audit_unsealed execute function refuse_change()`.execute(db)
  expect((await send()).statusCode).toBe(500)
  await sql`drop trigger audit_is_broken on audit_unsealed`.execute(db)
  expect(await world()).toBe(before)

  let writes = 0
  for (;;) {
    await failAt(db, writes + 1)
    const { statusCode } = await send()
    if (statusCode < 300) break
    expect(statusCode).toBe(500)
    expect(await world(), `after a fault at write ${writes + 1}`).toBe(before)
    writes += 1
  }
  await failAt(db, 0)
  // The change and its audit entry. An export and a test mail change nothing else.
  expect(writes).toBeGreaterThanOrEqual(/\.export$|^mail\.test$/.test(action) ? 1 : 2)
  const last = await db.selectFrom('audit_entries').selectAll().orderBy('seq', 'desc').executeTakeFirstOrThrow()
  expect(last).toMatchObject({ action: audited_as, outcome: 'done' })
  refuseUndescribed(last)
})
