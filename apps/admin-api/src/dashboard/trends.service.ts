import { dayOf } from '@switchboard/contract/wire/days'
import {
  daysIn,
  lastDays,
  rangeBefore,
  rangeProblem,
  TREND_DAYS_DEFAULT,
  type Trends,
  type TrendsQuery,
} from '@switchboard/contract/dashboard/trends'
import { badRequest } from '@switchboard/server/http/errors'
import type { Deps } from '#src/deps.ts'
import { type CountedDay, countedDays } from './trends.queries.ts'

/** Figures of every day of a range, and their totals beside the equal period before. Throws 400 for a bad range. */
export async function trendsOf(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  { from, to = dayOf(now().getTime()) }: TrendsQuery,
): Promise<Trends> {
  const range = from === undefined ? lastDays(to, TREND_DAYS_DEFAULT) : { from, to }
  const problem = rangeProblem(range)
  if (problem !== null) throw badRequest(problem)
  const before = rangeBefore(range)
  const counted = await countedDays(db, { from: before.from, to })
  const byDay = new Map(counted.map((figures) => [figures.day, figures]))
  const days = Array.from({ length: daysIn(range) }, (_, n) => {
    const { from: day } = lastDays(to, daysIn(range) - n)
    return byDay.get(day) ?? { day, ...NONE }
  })
  const totalBefore = totalOf(counted.filter(({ day }) => day < range.from))
  return { ...range, days, total: totalOf(days), before: { ...before, total: totalBefore } }
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
