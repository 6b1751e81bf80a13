import { type ReactNode, useId } from 'react'
import css from './card.module.css'

type Props = { title: string; help?: string; action?: ReactNode; children?: ReactNode }

/** One part of a page: its title, a line of help, what can be done with it, its content. */
export function Card({ title, help, action, children }: Props) {
  const id = useId()
  return (
    <section className={css.card} aria-labelledby={id}>
      <div className={css.head}>
        <div>
          <h2 id={id} className={css.title}>
            {title}
          </h2>
          {help && <p className={css.help}>{help}</p>}
        </div>
        {action && <div className={css.action}>{action}</div>}
      </div>
      {children}
    </section>
  )
}
