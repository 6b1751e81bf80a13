import { type ReactNode, useId } from 'react'
import css from './drawer-section.module.css'

type Props = { title: string; action?: ReactNode; children: ReactNode }

/** A titled part of the drawer. */
export function DrawerSection({ title, action, children }: Props) {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <div className={css.head}>
        <h3 id={id} className="heading">
          {title}
        </h3>
        {action}
      </div>
      {children}
    </section>
  )
}
