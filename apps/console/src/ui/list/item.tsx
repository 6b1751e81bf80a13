import type { ReactNode } from 'react'
import css from './item.module.css'

type Props = { title: ReactNode; facts?: ReactNode; /** The buttons. */ children?: ReactNode }

/** An item of a short list in a card: its name with badges, facts about it, and its buttons. */
export function Item({ title, facts, children }: Props) {
  return (
    <li className={css.item}>
      <div className={css.about}>
        <div className={css.title}>{title}</div>
        {facts && <div className="second-line">{facts}</div>}
      </div>
      {children}
    </li>
  )
}
