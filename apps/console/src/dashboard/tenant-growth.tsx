import { daysOfMonth, GROWTH_MONTHS_SHOWN, type TenantAnalytics } from '@switchboard/contract/dashboard'
import { Link } from '@tanstack/react-router'
import hidden from '#src/ui/page/visually-hidden.module.css'
import { countText } from '#src/lib/format/count.ts'
import { monthText } from '#src/lib/format/moment.ts'
import { Cell } from './cell.tsx'
import css from './tenant-growth.module.css'

/** New tenants of the last six months, each bar a link to its tenants. The last month is not over yet. */
export function TenantGrowth({ growth }: { growth: TenantAnalytics['tenant_growth'] }) {
  const months = growth.slice(-GROWTH_MONTHS_SHOWN)
  const most = Math.max(1, ...months.map(({ count }) => count))
  return (
    <Cell title={`Tenant Growth (${GROWTH_MONTHS_SHOWN} months)`} isWide>
      {months.length === 0 ? (
        <p className="ink-3">No growth data available</p>
      ) : (
        <ol className={css.chart} aria-label="New tenants by month">
          {months.map(({ month, count }) => (
            <li key={month}>
              <Link {...tenantsOf(month)} className={css.link}>
                <span className={hidden.hidden}>{monthText(month)}: </span>
                <span className={css.plot}>
                  <span className={css.count}>{countText(count)} new</span>
                  <span className={css.bar} style={{ height: `calc((100% - var(--figure)) * ${count / most})` }} />
                </span>
                <span className={css.name} aria-hidden>
                  {monthText(month).slice(0, 3)}
                </span>
              </Link>
            </li>
          ))}
        </ol>
      )}
    </Cell>
  )
}

function tenantsOf(month: string) {
  const { first, last } = daysOfMonth(month)
  return { to: '/tenants', search: { created_from: first, created_to: last } } as const
}
