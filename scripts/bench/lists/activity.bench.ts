import { makeAuditLog } from '@switchboard/testing/audit-log-factory'
import { checkAuditChain, activityList } from '@switchboard/contract/activity'
import { verifyAuditChain } from '@switchboard/database/audit/audit-chain'
import { makeUser, makeManyTenants } from '@switchboard/testing/factories'
import type { Database } from '@switchboard/database/tables'
import type { Kysely } from 'kysely'
import { encodeCursor } from '#apps/admin-api/src/lists/cursor.ts'
import { benchList } from './list.ts'
import { amount, type Figure } from '#scripts/bench/measure.ts'

/** Audit rows per tenant, and the least number of tenants. */
const ROWS_PER_TENANT = 1_000
const TENANTS_MIN = 10
const SUPER_ADMINS = 20
/** An action that never occurs with this kind of target. The screen does not offer this pair. */
const CONTRADICTION = 'action and another kind'

/** Filters for which PostgreSQL combines indexes (decision 0032), with a maximum of a page in milliseconds too. */
const COMBINED = [
  'actor and action',
  'actor and kind',
  'actor and largest kind',
  'actor and tenant',
  'actor, refused',
  'action, refused',
  'kind, refused',
  'tenant and action',
  'tenant, refused',
  'actor, action and tenant',
  'actor, action, refused',
]
const COMBINED_MS = 100

/** The audit log at 1,000 and at 1,000,000 rows: each filter, and likely pairs of filters. */
export async function benchActivity(): Promise<Figure[]> {
  let checkSeconds = Number.NaN
  const pages: string[] = []
  const { figuresOf, deepFigure, p50 } = await benchList({
    noun: 'activity',
    url: activityList.list.url,
    slow: [...COMBINED, CONTRADICTION],
    fill: async (db, count) => {
      await makeManyTenants(db, Math.max(TENANTS_MIN, count / ROWS_PER_TENANT))
      for (let n = 0; n < SUPER_ADMINS; n += 1) await makeUser(db)
      await makeAuditLog(db, count)
      const startedAt = performance.now()
      const { state } = await verifyAuditChain(db)
      if (state !== 'holds') throw new Error('The chain does not hold.')
      checkSeconds = (performance.now() - startedAt) / 1_000
    },
    pages: async (db, count) => {
      const queries = foldedQueries(await queriesOf(db, count))
      pages.push(...Object.keys(queries).filter((page) => !pages.includes(page)))
      return queries
    },
  })
  return [
    ...pages.filter((page) => page !== CONTRADICTION).flatMap(figuresOf),
    ...COMBINED.map((page) =>
      amount(`activity at 1,000,000, ${page}: over HTTP, p50`, p50(page, 'http'), 'ms', COMBINED_MS),
    ),
    amount(`activity at 1,000,000, ${CONTRADICTION}: over HTTP, p50`, p50(CONTRADICTION, 'http'), 'ms', 500),
    ...['rare word', 'request id'].map((page) =>
      amount(`activity at 1,000,000, ${page}: in the server, p50`, p50(page, 'byHand'), 'ms', 5),
    ),
    deepFigure,
    amount(`the chain of 1,000,000 rows checked, ${checkAuditChain.url}`, checkSeconds, 's', 60),
  ]
}

/** The queries as the console sends them: a rotation is one row but in the history of a target. */
function foldedQueries(queries: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(queries).map(([page, query]) => [page, query.includes('target_id=') ? query : `${query}&fold=true`]),
  )
}

async function queriesOf(db: Kysely<Database>, count: number): Promise<Record<string, string>> {
  const row = await db
    .selectFrom('audit_log')
    .select(['actor_id', 'target_id', 'tenant_id', 'request_id', 'at', 'seq'])
    .where('target_type', '=', 'api_key')
    .where('seq', '>=', Math.floor(count / 2))
    .orderBy('seq')
    .executeTakeFirstOrThrow()
  const day = row.at.slice(0, 10)
  const actor = `actor=${row.actor_id}`
  const cursor = encodeCursor({ sort: '-at', value: row.at, id: row.seq, back: false, start: Math.floor(count / 2) })
  return {
    'first page': '',
    'deep page': `sort=-at&cursor=${cursor}`,
    actor,
    'failed sign-ins of one address': 'actor=stranger17@example.com',
    action: 'action=tenants.update',
    rotations: 'action=api_keys.rotate',
    'rare action': 'action=prompts.save',
    kind: 'target_type=api_key',
    'one target': `target_type=api_key&target_id=${row.target_id}`,
    tenant: `tenant_id=${row.tenant_id}`,
    refused: 'outcome=refused',
    done: 'outcome=done',
    'one day': `from=${day}&to=${day}`,
    'all but the last day': `to=${day}`,
    'actor and action': `${actor}&action=prompts.save`,
    'actor and kind': `${actor}&target_type=prompt`,
    'actor and largest kind': `${actor}&target_type=api_key`,
    'actor and tenant': `${actor}&tenant_id=${row.tenant_id}`,
    'actor, refused': `${actor}&outcome=refused`,
    'actor on one day': `${actor}&from=${day}&to=${day}`,
    'action, refused': 'action=prompts.save&outcome=refused',
    'action, done': 'action=auth.login&outcome=done',
    'kind, refused': 'target_type=prompt&outcome=refused',
    'tenant and action': `tenant_id=${row.tenant_id}&action=api_keys.toggle`,
    'tenant and kind': `tenant_id=${row.tenant_id}&target_type=task`,
    'tenant, refused': `tenant_id=${row.tenant_id}&outcome=refused`,
    'refused on one day': `outcome=refused&from=${day}&to=${day}`,
    'actor, action and tenant': `${actor}&action=tenants.update&tenant_id=${row.tenant_id}`,
    'actor, action, refused': `${actor}&action=tenants.update&outcome=refused`,
    'rare word': 'q=stranger17@',
    'request id': `q=${row.request_id}`,
    [CONTRADICTION]: 'action=tenants.update&target_type=api_key',
    'everything at once': `${actor}&action=api_keys.toggle&target_type=api_key&tenant_id=${row.tenant_id}&outcome=done&from=${day}`,
  }
}
