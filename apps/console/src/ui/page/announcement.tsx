import type { ReactNode } from 'react'
import css from './visually-hidden.module.css'

/** Says to readers what changed on the screen, as when results arrive. Always rendered, or nothing is heard. */
export function Announcement({ children }: { children: ReactNode }) {
  return <output className={css.hidden}>{children}</output>
}
