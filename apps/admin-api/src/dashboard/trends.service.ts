import { dayOf, DAY_MS } from '@switchboard/contract/wire/days'
import { TREND_DAYS_DEFAULT, type Trends, type TrendsQuery } from '@switchboard/contract/dashboard/trends'
import type { Deps } from '#src/deps.ts'
import { type CountedDay, countedDays } from './trends.queries.ts'

/** The figures of each of the last days, and their sums beside those of as many days before. */
export async function trendsOf(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  { days: count = TREND_DAYS_DEFAULT }: TrendsQuery,
): Promise<Trends> {
  const today = now().getTime()
  const all = Array.from({ length: 2 * count }, (_, n) => dayOf(today - (2 * count - 1 - n) * DAY_MS))
  const counted = new Map((await countedDays(db, all)).map((figures) => [figures.day, figures]))
  const figures = all.map((day) => counted.get(day) ?? { day, ...NONE })
  const days = figures.slice(count)
  return { days, total: totalOf(days), before: totalOf(figures.slice(0, count)) }
}

const NONE = { users: 0, tenants: 0, accepted: 0, refused: 0 }

function totalOf(days: CountedDay[]): Trends['total'] {
  return days.reduce(
    (sum, day) => ({
      users: sum.users + day.users,
      tenants: sum.tenants + day.tenants,
      accepted: sum.accepted + day.accepted,
      refused: sum.refused + day.refused,
    }),
    NONE,
  )
}
