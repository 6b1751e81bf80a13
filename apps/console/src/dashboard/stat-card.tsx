import { Link } from '@tanstack/react-router'
import { useId } from 'react'
import { countText } from '#src/lib/format/count.ts'
import { changeText } from './change-text.ts'
import type { EvidenceLink } from './evidence-link.ts'
import { Sparkline } from '#src/ui/page/sparkline.tsx'
import css from './stat-card.module.css'

const FIXED_BADGE_HELP = 'Fixed label, not computed'

/** A figure of the last days beside the same number of days before. */
export type Growth = { days: number[]; total: number; before: number }

type Props = EvidenceLink & {
  label: string
  value: number | string
  /** One of the fixed badges. */
  badge?: string
  growth?: Growth | undefined
}

/** A cell with a figure. The whole cell is a link to the list of the counted records. */
export function StatCard({ label, value, badge, growth, to, search }: Props) {
  const id = useId()
  return (
    <div className={css.card}>
      <div className={css.head}>
        <div id={`${id}-label`} className="figure-label">
          {label}
        </div>
        {growth && <Change id={`${id}-change`} growth={growth} />}
      </div>
      <Link
        id={`${id}-value`}
        to={to}
        {...(search && { search })}
        className={css.link}
        aria-labelledby={`${id}-label ${id}-value`}
        {...(growth && { 'aria-describedby': `${id}-change` })}
      >
        {typeof value === 'number' ? countText(value) : value}
      </Link>
      {badge && (
        <button
          type="button"
          className={css.badge}
          aria-disabled
          aria-label={`${badge}: ${FIXED_BADGE_HELP}`}
          data-tooltip={FIXED_BADGE_HELP}
        >
          {badge}
        </button>
      )}
      {growth && (
        <div className={css.bars}>
          <Sparkline days={growth.days.map((accepted) => ({ accepted }))} />
        </div>
      )}
    </div>
  )
}

/** "−13% from 144", "from 0". */
function Change({ id, growth: { total, before } }: { id: string; growth: Growth }) {
  return (
    <div id={id} className={css.change}>
      <span className="strong ink-2">{changeText(total, before)}</span> from {countText(before)}
    </div>
  )
}
