import { apiKeyList } from '@switchboard/contract/api-keys/key-list'
import type { Database } from '@switchboard/database/tables'
import { makeManyApiKeys, makeManyTenants, makeTenant } from '@switchboard/testing/factories'
import { withoutIndexes } from '@switchboard/testing/without-indexes'
import { type Kysely, sql } from 'kysely'
import { benchList, cursorAt } from './list.ts'
import { amount, type Figure } from '#scripts/bench/measure.ts'

const LARGE = 200_000
const KEYS_PER_TENANT = 20
/** One tenant has so many keys, and the last page of tenants by name. */
const BIG_TENANT = { name: 'Zz Big', keys: 10_000 }

/** Pages in the order of an index. */
const STORED = ['first page', 'by tenant, folded', 'by expiry', 'by origin', 'working by name', 'one tenant']
/** Pages that need all matching keys: their order, or the number of keys, changes with time or traffic. */
const COLLECTED = [
  'expired by name',
  'restricted by tenant',
  'one tenant by name',
  'one tenant by calls',
  'by state',
  'by calls',
  'by last use',
]

/** A page of API keys at 1,000 and at 200,000 keys, of which one tenant has 10,000. */
export async function benchApiKeyList(): Promise<Figure[]> {
  const { figuresOf, deepFigure, p50 } = await benchList({
    noun: 'API keys',
    url: apiKeyList.list.url,
    large: LARGE,
    fill: fillWithApiKeys,
    slow: COLLECTED,
    pages: async (db, count) => {
      const { id } = await db
        .selectFrom('tenants')
        .select('id')
        .where('name', '=', BIG_TENANT.name)
        .executeTakeFirstOrThrow()
      const middle = await cursorAt(db, 'api_keys', 'created_at', Math.floor(count / 2))
      return {
        'first page': 'sort=created_at',
        'deep page': `sort=created_at&cursor=${middle}`,
        'by tenant, folded': 'fold=true',
        'by expiry': 'sort=expires_at',
        'by origin': 'sort=allowed_origins',
        'expired by name': 'state=expired&sort=name',
        'working by name': 'state=any_working&sort=name',
        'restricted by tenant': 'origins=restricted',
        'rare substring': `q=tudio+${Math.floor(count / KEYS_PER_TENANT) - 1}`,
        'one tenant': `tenant_id=${id}&fold=true`,
        'one tenant by name': `tenant_id=${id}&sort=name`,
        'one tenant by calls': `tenant_id=${id}&sort=-calls`,
        'by state': 'sort=state',
        'by calls': 'sort=-calls',
        'by last use': 'sort=-last_used_at',
      }
    },
  })
  return [
    ...[...STORED, 'rare substring'].flatMap(figuresOf),
    deepFigure,
    amount('API keys at 200,000, rare substring: in the server, p50', p50('rare substring', 'byHand'), 'ms', 5),
    ...COLLECTED.map((page) => amount(`API keys at 200,000, ${page}: p50`, p50(page, 'http'), 'ms', 300)),
  ]
}

/** `count` keys, one tenant per 20 of them, and a tenant with many keys; a month of calls for each fourth key. */
async function fillWithApiKeys(db: Kysely<Database>, count: number): Promise<void> {
  await withoutIndexes(db, ['tenants', 'api_keys', 'api_key_outcomes'], async (trx) => {
    await makeManyTenants(trx, count / KEYS_PER_TENANT)
    await makeManyApiKeys(trx, count)
    const { id } = await makeTenant(trx, { name: BIG_TENANT.name })
    await makeManyApiKeys(trx, Math.min(BIG_TENANT.keys, count), id)
    await sql`
      insert into api_key_outcomes (api_key_id, day, outcome, count, last_at)
      select id, current_date - ago, case when ago % 9 = 8 then 'expired' else 'valid' end, 10 + ago, now() - ago * interval '1 day'
      from (select id, row_number() over () as n from api_keys) as numbered
      cross join generate_series(0, 29) as ago where n % 4 = 0`.execute(trx)
  })
}
