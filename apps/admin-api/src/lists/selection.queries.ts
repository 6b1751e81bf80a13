import type { SelectQueryBuilder } from 'kysely'

/** The first `limit` ids of a sorted query. */
export async function idsOf<DB, Table extends keyof DB>(
  query: SelectQueryBuilder<DB, Table, { id: string }>,
  limit: number,
): Promise<string[]> {
  const rows = await query.limit(limit).execute()
  return rows.map(({ id }) => id)
}
