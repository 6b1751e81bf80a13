import { createTestDatabase } from '@switchboard/testing/test-database'
import type { Database } from '#src/tables.ts'
import { sql, type Transaction } from 'kysely'
import { afterAll, expect, inject, test } from 'vitest'
import { verifyAuditChain } from './audit-chain.ts'
import { AUDIT_DEFINITIONS, auditDefinitions } from './audit-definitions.ts'
import { writeAudit } from './audit.queries.ts'

const { db, drop } = await createTestDatabase(inject('postgresUrl'))
afterAll(drop)
const actor = { id: null, email: 'ada@example.com', address: '::1', request_id: null }

test('the definitions match the migrations', async () => {
  expect(await auditDefinitions(db)).toEqual(AUDIT_DEFINITIONS)
})

const write = async (trx: Transaction<Database>) =>
  await writeAudit(trx, new Date(), actor, {
    action: 'tenants.update',
    changes: { goal: { before: null, after: 'x' } },
  })

/** Runs `work` after the statements of a malicious owner of the database, and rolls everything back. */
async function afterwards<Result>(statements: string, work: (trx: Transaction<Database>) => Promise<Result>) {
  const trx = await db.startTransaction().execute()
  try {
    await sql.raw(statements).execute(trx)
    return await work(trx)
  } finally {
    await trx.rollback().execute()
  }
}

const IGNORED = `create function ignored() returns trigger language plpgsql as 'begin return null; end'`
const COLUMNS =
  'seq, at, actor_id, actor_email, action, outcome, reason, target_type, target_id, target_name, tenant_id, changes, address, request_id'
const OF_LOG = `select ${COLUMNS} from audit_log`
const OF_UNSEALED = `select ${COLUMNS.replace('seq', 'id + 4503599627370496')} from audit_unsealed`

const ATTACKS: [string, string, string][] = [
  [
    'a view that hides an action',
    `create or replace view audit_entries as ${OF_LOG} where action <> 'tokens.create' union all ${OF_UNSEALED}`,
    'view audit_entries',
  ],
  ['a view without the unsealed entries', `create or replace view audit_entries as ${OF_LOG}`, 'view audit_entries'],
  [
    'a table in the place of the view',
    `drop view audit_entries; create table audit_entries as ${OF_LOG}`,
    'relation audit_entries',
  ],
  [
    'a trigger that drops entries',
    `${IGNORED}; create trigger a_first before insert on audit_unsealed for each row execute function ignored()`,
    'trigger a_first of audit_unsealed',
  ],
  [
    'a trigger that drops sealed entries',
    `${IGNORED}; create trigger a_first after insert on audit_log for each row execute function ignored()`,
    'trigger a_first of audit_log',
  ],
  [
    'a trigger of an expected name with another function',
    `${IGNORED}; drop trigger audit_unsealed_unchanged on audit_unsealed;
    create trigger audit_unsealed_unchanged before update or truncate on audit_unsealed
    for each statement execute function ignored()`,
    'trigger audit_unsealed_unchanged of audit_unsealed',
  ],
  ['a rule', `create rule ignored as on insert to audit_unsealed do instead nothing`, 'rule ignored of audit_unsealed'],
  [
    'a rule of the view',
    `create rule ignored as on insert to audit_entries do instead nothing`,
    'rule ignored of audit_entries',
  ],
  [
    'a trigger that is switched off',
    'alter table audit_log disable trigger audit_log_append_only',
    'trigger audit_log_append_only of audit_log',
  ],
  [
    'a trigger that is gone',
    'drop trigger audit_deleted_months_append_only on audit_deleted_months',
    'trigger audit_deleted_months_append_only of audit_deleted_months',
  ],
  [
    'a function that permits changes',
    `create or replace function refuse_change() returns trigger language plpgsql as 'begin return null; end'`,
    'function refuse_change',
  ],
  ['a table that a crash empties', 'alter table audit_unsealed set unlogged', 'relation audit_unsealed'],
]
test.for(ATTACKS)('the check finds %s', async ([, statements, name]) => {
  expect(await verifyAuditChain(db)).toMatchObject({ state: 'holds' })
  expect(await afterwards(statements, verifyAuditChain)).toMatchObject({
    state: 'broken',
    problem: `The ${name} differs from the migrations of this release, so entries may be hidden or lost.`,
  })
})

test('a change fails if the database drops its entry', async () => {
  const dropping = `${IGNORED}; create trigger a_first before insert on audit_unsealed for each row execute function ignored()`
  await expect(afterwards(dropping, write)).rejects.toThrow('The audit log did not keep an entry.')
  const rule = 'create rule ignored as on insert to audit_unsealed do instead nothing'
  await expect(afterwards(rule, write)).rejects.toThrow(/audit_unsealed/)
  await expect(afterwards('', write)).resolves.toBeUndefined()
})
