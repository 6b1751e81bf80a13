import { daysOfMonth, GROWTH_MONTHS_SHOWN, type TenantAnalytics } from '@switchboard/contract/dashboard'
import { IconChartBar, IconTable } from '@tabler/icons-react'
import { ActionIcon } from '@mantine/core'
import { getRouteApi, Link } from '@tanstack/react-router'
import hidden from '#src/ui/page/visually-hidden.module.css'
import { countText } from '#src/lib/format/count.ts'
import { monthText } from '#src/lib/format/moment.ts'
import { Tile } from '#src/ui/card/section.tsx'
import css from './tenant-growth.module.css'

type Growth = TenantAnalytics['tenant_growth']

const route = getRouteApi('/signed-in/')

/** New tenants of the last six months, as bars or as a table (by a search parameter). */
export function TenantGrowth({ growth }: { growth: Growth }) {
  const isTable = route.useSearch().growth === 'table'
  const navigate = route.useNavigate()
  const months = growth.slice(-GROWTH_MONTHS_SHOWN)
  const other = isTable ? 'Show as chart' : 'Show as table'
  return (
    <Tile
      title={`Tenant Growth (${GROWTH_MONTHS_SHOWN} months)`}
      action={
        months.length > 0 && (
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={other}
            data-tooltip={other}
            onClick={() =>
              void navigate({ search: { growth: isTable ? undefined : 'table' }, replace: true, resetScroll: false })
            }
          >
            {isTable ? <IconChartBar size={16} aria-hidden /> : <IconTable size={16} aria-hidden />}
          </ActionIcon>
        )
      }
    >
      {months.length === 0 ? (
        <p className={css.empty}>No growth data available</p>
      ) : isTable ? (
        <Table months={months} />
      ) : (
        <Chart months={months} />
      )}
    </Tile>
  )
}

/** Each bar is a link to the tenants of its month, with an accessible name. */
function Chart({ months }: { months: Growth }) {
  const most = Math.max(1, ...months.map(({ count }) => count))
  return (
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
  )
}

function Table({ months }: { months: Growth }) {
  return (
    <table className={css.table}>
      <thead>
        <tr>
          <th scope="col">Month</th>
          <th scope="col">Tenants</th>
        </tr>
      </thead>
      <tbody>
        {months.map(({ month, count }) => (
          <tr key={month}>
            <th scope="row">{monthText(month)}</th>
            <td>
              <Link {...tenantsOf(month)} className={css.figure}>
                {countText(count)} new
              </Link>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function tenantsOf(month: string) {
  const { first, last } = daysOfMonth(month)
  return { to: '/tenants', search: { created_from: first, created_to: last } } as const
}
