import { Link } from '@tanstack/react-router'
import { countText } from '#src/lib/count.ts'
import type { EvidenceLink } from './evidence-link.ts'
import { Tile } from '#src/ui/page/section.tsx'
import css from './breakdown.module.css'

type Share = EvidenceLink & {
  name: string
  count: number
  /** Its colour; what it means, the name says. */
  colour: keyof typeof COLOURS
}

const COLOURS = {
  admin: css.admin,
  manager: css.manager,
  user: css.user,
  other: css.other,
  active: css.active,
  inactive: css.inactive,
}

/** How a whole is made up: one bar for eyes, and each part with its figure, which leads to the list that proves it. */
export function Breakdown({ title, shares }: { title: string; shares: Share[] }) {
  const total = shares.reduce((sum, { count }) => sum + count, 0)
  return (
    <Tile title={title}>
      <div className={css.bar} aria-hidden>
        {shares.map(
          ({ name, count, colour }) =>
            count > 0 && (
              <span
                key={name}
                className={`${css.part} ${COLOURS[colour]}`}
                style={{ flexGrow: count }}
                data-tooltip={`${name}: ${countText(count)} (${percentText(count, total)})`}
              />
            ),
        )}
      </div>
      <ul>
        {shares.map(({ name, count, colour, to, search }) => (
          <li key={name}>
            <Link to={to} {...(search && { search })} className={css.share}>
              <span className={`${css.swatch} ${COLOURS[colour]}`} aria-hidden />
              <span className={`${css.name} ${css[`name-${colour}`] ?? ''}`}>{name}</span>
              <span className={css.count}>{countText(count)}</span>
              <span className={css.percent}>{percentText(count, total)}</span>
            </Link>
          </li>
        ))}
      </ul>
    </Tile>
  )
}

/** "32%"; what there is little of is still there, and what there is not is missed: "<1%", ">99%". */
function percentText(count: number, total: number): string {
  if (count === 0) return '0%'
  const percent = Math.round((100 * count) / total)
  if (percent === 0) return '<1%'
  return percent === 100 && count < total ? '>99%' : `${percent}%`
}
