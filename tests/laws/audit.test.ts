import { ADMIN_API_ENDPOINTS } from '@switchboard/contract/admin-api'
import { AI_API_ENDPOINTS } from '@switchboard/contract/ai-api'
import { COMMAND_LINE_ACTIONS } from '@switchboard/contract/activity'
import { portalSignInList } from '@switchboard/contract/users/portal-sign-ins'
import { reviewList } from '@switchboard/contract/reviews/review-list'
import { ROLE_LOST_ACTION } from '@switchboard/contract/single-sign-on'
import { TOKEN_REFUSED_ACTION } from '@switchboard/contract/tokens'
import { sealAudit } from '@switchboard/database/audit/seal-audit'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { ACTION_LABELS } from '#apps/console/src/activity/action-labels.ts'
import { ACCOUNT_CALLS } from './audit/account-calls.ts'
import { API_KEY_CALLS } from './audit/api-key-calls.ts'
import { type AuditedCalls, startAuditedApi } from './audit/audited-call.ts'
import { SECOND_FACTOR_CALLS } from './audit/second-factor-calls.ts'
import { SIGNAL_CALLS } from './audit/signal-calls.ts'
import { TASK_CALLS } from './audit/task-calls.ts'
import { TEAM_CALLS } from './audit/team-calls.ts'
import { TENANT_CALLS } from './audit/tenant-calls.ts'
import { USER_CALLS } from './audit/user-calls.ts'
import { dumpOf } from './dump.ts'
import { failAt, prepareWriteFaults } from './write-faults.ts'

// Every change writes its audit row in the same transaction: both are committed, or neither. The contract says which
// calls change something, so a new one fails here until it has a case or a reason.

const changes = [...ADMIN_API_ENDPOINTS, ...AI_API_ENDPOINTS]
  .filter(({ method, config }) => method !== 'GET' && config?.reads !== true)
  .map(({ schema }) => schema.operationId)

/** Changes whose names are not in the audit log. */
const NOT_IN_THE_LOG: Record<string, string> = {
  'auth.challenge': 'The second step of a sign-in is audited as auth.login.',
  'webhooks.execute_task': 'A run is audited as tasks.run.',
  'users.verify': 'A sign-in to a portal is in portal_sign_ins: verify-user.test.ts.',
  'keys.verify': 'Changes only the times and the counts of uses, thousands of times a second.',
}

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

// The whole lists without an export are audited reads: other whole lists are audited as their exports.
test('every audited action has a label on screen, and every label an action', () => {
  const known = changes.filter((action) => !(action in NOT_IN_THE_LOG))
  const reads = [reviewList, portalSignInList].map(({ list }) => list.schema.operationId)
  const actions = [...known, ...reads, ...COMMAND_LINE_ACTIONS, TOKEN_REFUSED_ACTION, ROLE_LOST_ACTION]
  expect(Object.keys(ACTION_LABELS).toSorted()).toEqual(actions.toSorted())
})

test('every change has one case, or the reason why it has none', () => {
  const cases = [CALLS, NOT_IN_THE_LOG, TESTED_ELSEWHERE].flatMap((each) => Object.keys(each))
  expect(cases.toSorted()).toEqual(changes.toSorted())
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
  const last = await db
    .selectFrom('audit_entries')
    .select(['action', 'outcome'])
    .orderBy('seq', 'desc')
    .executeTakeFirst()
  expect(last).toEqual({ action: audited_as, outcome: 'done' })
})
