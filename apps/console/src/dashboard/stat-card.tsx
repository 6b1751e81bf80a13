import { Link } from '@tanstack/react-router'
import { useId } from 'react'
import { countText } from '#src/lib/count.ts'
import { FIXED_BADGE_HELP } from './fixed-badges.ts'
import type { EvidenceLink } from './evidence-link.ts'
import css from './stat-card.module.css'

type Props = EvidenceLink & {
  label: string
  value: number | string
  /** One of the fixed badges. */
  badge?: string
}

/** One figure. All of the card leads to the list that proves it. */
export function StatCard({ label, value, badge, to, search }: Props) {
  const id = useId()
  return (
    <div className={css.card}>
      <div id={`${id}-label`} className={css.label}>
        {label}
      </div>
      <Link
        id={`${id}-value`}
        to={to}
        {...(search && { search })}
        className={css.link}
        aria-labelledby={`${id}-label ${id}-value`}
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
    </div>
  )
}
