import css from './badge.module.css'
import tones from './tones.module.css'

export type Tone = 'ok' | 'bad' | 'warn' | 'info' | 'accent' | 'neutral' | 'outline'

/**
 * A label on a tinted background. States also have a dot, because color alone is not accessible; the good state has no
 * background. Types are outlined.
 */
export function Badge({ tone, text, dot = false }: { tone: Tone; text: string; dot?: boolean }) {
  return (
    <span className={`${css.badge} ${tones[tone]} ${tone === 'ok' ? css.good : ''} ${dot ? css.dot : ''}`}>{text}</span>
  )
}
