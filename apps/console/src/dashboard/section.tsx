import { type ReactNode, useId } from 'react'
import css from './section.module.css'

/** A part of the dashboard under its title. It takes the focus when what had it goes. */
export function Section({ title, children }: { title: string; children: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id} tabIndex={-1}>
      <h2 id={id} className={css.sectionTitle}>
        {title}
      </h2>
      {children}
    </section>
  )
}

type TileProps = {
  title: string
  action?: ReactNode
  /** What is inside has a border already. */
  bare?: boolean
  children: ReactNode
}

/** One question in a section and its answer. */
export function Tile({ title, action, bare = false, children }: TileProps) {
  const id = useId()
  return (
    <section className={bare ? css.bare : css.tile} aria-labelledby={id}>
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
