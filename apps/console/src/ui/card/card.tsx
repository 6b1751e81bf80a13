import { type ReactNode, useId } from 'react'
import css from './card.module.css'

type Props = {
  title: string
  help?: string
  action?: ReactNode
  children?: ReactNode
  /** For a link to the card. */ anchor?: string
}

/** A card: title, help, actions and content. */
export function Card({ title, help, action, children, anchor }: Props) {
  const id = useId()
  return (
    <section id={anchor} className={css.card} aria-labelledby={id}>
      <div className={css.head}>
        <div>
          <h2 id={id} className="heading">
            {title}
          </h2>
          {help && <p className="second-line">{help}</p>}
        </div>
        {action && <div className={css.action}>{action}</div>}
      </div>
      {children}
    </section>
  )
}
