import type { ReactNode } from 'react'
import css from './badge.module.css'
import tones from './tones.module.css'

export type Tone = 'ok' | 'bad' | 'warn' | 'info' | 'accent' | 'neutral'

/** A word on a soft ground. A state has a dot besides, so that it never speaks by colour alone. */
export function Badge({ tone, dot = false, children }: { tone: Tone; dot?: boolean; children: ReactNode }) {
  return <span className={`${css.badge} ${tones[tone]} ${dot ? css.dot : ''}`}>{children}</span>
}
