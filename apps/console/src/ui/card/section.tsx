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

type TileProps = {
  title: string
  action?: ReactNode
  /** For content that has its own border. */
  bare?: boolean
  children: ReactNode
}

/** A titled figure or chart in a section. */
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
