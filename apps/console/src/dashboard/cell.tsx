import { type ReactNode, useId } from 'react'
import css from './cell.module.css'

/** A titled breakdown or chart in a panel; `isWide` spans both columns. */
export function Cell({ title, isWide = false, children }: { title: string; isWide?: boolean; children: ReactNode }) {
  const id = useId()
  return (
    <section className={`${css.cell} ${isWide ? css.wide : ''}`} aria-labelledby={id}>
      <h3 id={id} className={css.title}>
        {title}
      </h3>
      {children}
    </section>
  )
}
