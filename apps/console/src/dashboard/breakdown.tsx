import { Link } from '@tanstack/react-router'
import { countText } from '#src/lib/format/count.ts'
import { Cell } from './cell.tsx'
import type { EvidenceLink } from './evidence-link.ts'
import css from './breakdown.module.css'

type Share = EvidenceLink & {
  name: string
  count: number
  /** Decorative: the name carries the meaning. */
  color: keyof typeof COLORS
}

const COLORS = {
  admin: css.admin,
  manager: css.manager,
  user: css.user,
  other: css.other,
  active: css.active,
  inactive: css.inactive,
}

type Props = {
  title: string
  shares: Share[]
  /** The text without records. */
  empty?: string
  isWide?: boolean
}

/** The parts of a total: a stacked bar (hidden from screen readers), and a link per part to its list. */
export function Breakdown({ title, shares, empty, isWide }: Props) {
  const total = shares.reduce((sum, { count }) => sum + count, 0)
  return (
    <Cell title={title} {...(isWide && { isWide })}>
      {total === 0 && empty ? <p className="ink-3">{empty}</p> : <Shares shares={shares} total={total} />}
    </Cell>
  )
}

function Shares({ shares, total }: { shares: Share[]; total: number }) {
  return (
    <>
      <div className={css.bar} aria-hidden>
        {shares.map(
          ({ name, count, color }) =>
            count > 0 && (
              <span
                key={name}
                className={`${css.part} ${COLORS[color]}`}
                style={{ flexGrow: count }}
                data-tooltip={`${name}: ${countText(count)} (${percentText(count, total)})`}
              />
            ),
        )}
      </div>
      <ul>
        {shares.map(({ name, count, color, to, search }) => (
          <li key={name}>
            <Link to={to} {...(search && { search })} className={css.share}>
              <span className={`${css.swatch} ${COLORS[color]}`} aria-hidden />
              <span className={`${css.name} ${css[`name-${color}`] ?? ''}`}>{name}</span>
              <span className="strong">{countText(count)}</span>
              <span className={css.percent}>{percentText(count, total)}</span>
            </Link>
          </li>
        ))}
      </ul>
    </>
  )
}

/** "32%"; "<1%" and ">99%" instead of a rounded 0% or 100%. */
function percentText(count: number, total: number): string {
  if (count === 0) return '0%'
  const percent = Math.round((100 * count) / total)
  if (percent === 0) return '<1%'
  return percent === 100 && count < total ? '>99%' : `${percent}%`
}
