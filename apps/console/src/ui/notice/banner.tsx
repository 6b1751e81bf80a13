import { IconAlertCircle, IconAlertTriangle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import tones from '#src/ui/badge/tones.module.css'
import css from './banner.module.css'

const ICONS = { bad: IconAlertCircle, warn: IconAlertTriangle }

type Props = {
  tone: keyof typeof ICONS
  /** What is wrong, without the period. */
  lead: string
  /** Why, after a colon. Text of other people. */
  reason?: string | null | undefined
  /** What it costs, and other sentences. */
  children?: ReactNode
  /** The button that mends it. */
  action?: ReactNode
}

/** The state of a record with a problem, above its content: what is wrong, why, what it costs, and one button. */
export function Banner({ tone, lead, reason, children, action }: Props) {
  const Icon = ICONS[tone]
  return (
    <section aria-label="State" tabIndex={-1} className={`${css.banner} ${tones[tone]}`}>
      <div className={css.text}>
        <Icon size={18} aria-hidden />
        <p>
          <span className="strong">
            {lead}
            {reason && (
              <>
                : <bdi>{reason}</bdi>
              </>
            )}
            {!/[.!?]$/.test(reason ?? lead) && '.'}
          </span>{' '}
          <span className={css.rest}>{children}</span>
        </p>
      </div>
      {action && <div className={css.action}>{action}</div>}
    </section>
  )
}
