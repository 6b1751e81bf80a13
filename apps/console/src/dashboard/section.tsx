import { type ReactNode, useId } from 'react'
import css from './section.module.css'

/** A part of the dashboard under its title. */
export function Section({ title, children }: { title: string; children: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className={css.sectionTitle}>
        {title}
      </h2>
      {children}
    </section>
  )
}

/** One question in a section and its answer. */
export function Tile({ title, action, children }: { title: string; action?: ReactNode; children: ReactNode }) {
  const id = useId()
  return (
    <section className={css.tile} aria-labelledby={id}>
      <div className={css.head}>
        <h3 id={id} className={css.title}>
          {title}
        </h3>
        {action}
      </div>
      {children}
    </section>
  )
}
