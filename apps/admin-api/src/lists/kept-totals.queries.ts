import { TOTAL_EXACT_MAX } from '@switchboard/contract/wire/lists'
import type { CountedNoun } from '@switchboard/database/tables'
import { type RawBuilder, sql } from 'kysely'

// How many rows a list has is kept, where it is whole or narrowed by what is counted: reading 10,001 entries of an
// index for every page would take longer than the page. As the count of a page, one more than `TOTAL_EXACT_MAX`
// stands for "more".

/** What chooses a page and narrows nothing. */
const OF_THE_PAGE = ['limit', 'cursor', 'sort']

/** The counters of each list by the filters that narrow it; `only` where not all of their values are counted there. */
const COUNTED: Record<CountedNoun, { by: string[]; facet: string; only?: string[] }[]> = {
  users: [
    { by: [], facet: 'status' },
    { by: ['role'], facet: 'role' },
    { by: ['is_active'], facet: 'status' },
    { by: ['role', 'is_active'], facet: 'role_and_status' },
  ],
  tenants: [
    { by: [], facet: 'status' },
    { by: ['status'], facet: 'status' },
    { by: ['tenant_type'], facet: 'tenant_type' },
    { by: ['tenant_type', 'status'], facet: 'type_and_status' },
    { by: ['attention'], facet: 'attention', only: ['no_active_admin'] },
  ],
  tasks: [
    { by: [], facet: 'status' },
    { by: ['status'], facet: 'status', only: ['active', 'paused'] },
    { by: ['status'], facet: 'attention', only: ['failing'] },
    { by: ['frequency'], facet: 'frequency' },
  ],
}

/** By the counters. Undefined for a list that is narrowed by something else. */
export function totalOf(noun: CountedNoun, query: object): RawBuilder<number> | undefined {
  const filters = filtersOf(query)
  for (const { by, facet, only } of COUNTED[noun]) {
    const value = by.map((name) => wordOf(filters.get(name))).join(' ')
    const isCounted = by.length === filters.size && by.every((name) => filters.has(name))
    if (isCounted && (only === undefined || only.includes(value))) return upToMax(sumOf(noun, facet, value))
  }
  return undefined
}

/** The sum of all values for an empty `value`. */
function sumOf(noun: CountedNoun, facet: string, value: string) {
  return sql`(
    select coalesce(sum(count), 0) from counters
    where noun = ${sql.lit(noun)} and facet = ${sql.lit(facet)} and ${value === '' ? sql`true` : sql`value = ${value}`}
  )`
}

/** By the end of the chain, which numbers its rows without a gap. Undefined for a log that is narrowed. */
export function totalOfAudit(query: object): RawBuilder<number> | undefined {
  return filtersOf(query).size === 0 ? upToMax(sql`(select seq from audit_head)`) : undefined
}

function filtersOf(query: object): Map<string, unknown> {
  return new Map(Object.entries(query).filter(([name, value]) => value !== undefined && !OF_THE_PAGE.includes(name)))
}

/** A filter's value as the counters call it. */
function wordOf(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'active' : 'inactive'
  return String(value)
}

/** As the count of a page: one more than `TOTAL_EXACT_MAX` for more. */
function upToMax(kept: RawBuilder<unknown>): RawBuilder<number> {
  return sql<number>`least(${kept}, ${sql.lit(TOTAL_EXACT_MAX + 1)})::int`
}
