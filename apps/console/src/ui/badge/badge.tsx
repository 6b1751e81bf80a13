import css from './badge.module.css'
import tones from './tones.module.css'

export type Tone = 'ok' | 'bad' | 'warn' | 'info' | 'accent' | 'neutral'

/** A label on a tinted background. States also have a dot, because color alone is not accessible. */
export function Badge({ tone, text, dot = false }: { tone: Tone; text: string; dot?: boolean }) {
  return <span className={`${css.badge} ${tones[tone]} ${dot ? css.dot : ''}`}>{text}</span>
}
