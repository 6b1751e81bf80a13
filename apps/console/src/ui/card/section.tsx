import { type ReactNode, useId } from 'react'
import css from './section.module.css'

/** A titled section of the dashboard. Takes the focus if the focused element disappears. */
export function Section({ title, action, children }: { title: string; action?: ReactNode; children: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id} tabIndex={-1}>
      <div className={css.sectionHead}>
        <h2 id={id} className={css.sectionTitle}>
          {title}
        </h2>
        {action}
      </div>
      {children}
    </section>
  )
}
