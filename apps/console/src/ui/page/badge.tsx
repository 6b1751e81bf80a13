import type { ReactNode } from 'react'
import css from './badge.module.css'
import tones from './tones.module.css'

export type Tone = 'ok' | 'bad' | 'warn' | 'info' | 'accent' | 'neutral'

/** A label on a tinted background. States also have a dot, because colour alone is not accessible. */
export function Badge({ tone, dot = false, children }: { tone: Tone; dot?: boolean; children: ReactNode }) {
  return <span className={`${css.badge} ${tones[tone]} ${dot ? css.dot : ''}`}>{children}</span>
}
