import { tenantList } from '@switchboard/contract/tenants'
import { makeManyTenants } from '@switchboard/testing/factories'
import type { Database } from '@switchboard/database/tables'
import { withoutIndexes } from '@switchboard/testing/without-indexes'
import type { Kysely } from 'kysely'
import { benchList, cursorAt } from './list.ts'
import { amount, type Figure } from '#scripts/bench/measure.ts'

/** A page of tenants at 1,000 and at 1,000,000 tenants; also the list of /keys, which is the same list by name. */
export async function benchTenants(): Promise<Figure[]> {
  const { figuresOf, deepFigure, p50 } = await benchList({
    noun: 'tenants',
    url: tenantList.list.url,
    fill: fillWithTenants,
    slow: ['common substring'],
    pages: async (db, count) => ({
      'first page': 'sort=name',
      'deep page': `sort=name&cursor=${await cursorAt(db, 'tenants', 'name', Math.floor(count / 2))}`,
      'rare substring': `sort=name&q=-${count - 1}`,
      'common substring': 'sort=name&q=bakery',
    }),
  })
  return [
    ...['first page', 'deep page', 'rare substring'].flatMap(figuresOf),
    deepFigure,
    amount('tenants at 1,000,000, rare substring: in the server, p50', p50('rare substring', 'byHand'), 'ms', 5),
    amount(
      'tenants at 1,000,000, substring that 100,000 have: over HTTP, p50',
      p50('common substring', 'http'),
      'ms',
      500,
    ),
  ]
}

/** `count` tenants without users, keys and tasks. */
export async function fillWithTenants(db: Kysely<Database>, count: number): Promise<void> {
  await withoutIndexes(db, ['tenants'], (trx) => makeManyTenants(trx, count))
}
