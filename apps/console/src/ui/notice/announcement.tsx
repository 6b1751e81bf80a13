import type { ReactNode } from 'react'
import css from '#src/ui/page/visually-hidden.module.css'

/** Live region for screen readers. Always rendered, because a live region added with its text is not announced. */
export function Announcement({ children }: { children: ReactNode }) {
  return <output className={css.hidden}>{children}</output>
}
