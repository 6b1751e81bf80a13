import { Link } from '@tanstack/react-router'
import { useId } from 'react'
import { countText } from '#src/lib/format/count.ts'
import type { EvidenceLink } from './evidence-link.ts'
import css from './stat-card.module.css'

const FIXED_BADGE_HELP = 'Fixed label, not computed'

type Props = EvidenceLink & {
  label: string
  value: number | string
  /** One of the fixed badges. */
  badge?: string
}

/** A card with a figure. The whole card is a link to the list of the counted records. */
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
