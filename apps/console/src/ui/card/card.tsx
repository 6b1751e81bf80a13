import { type ReactNode, useId } from 'react'
import css from './card.module.css'

type Props = { title: string; help?: string; action?: ReactNode; children?: ReactNode }

/** A card: title, help, actions and content. */
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
