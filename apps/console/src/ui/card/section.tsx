import { type ReactNode, useId } from 'react'
import css from './section.module.css'

type Props = { title: string; help?: string; action?: ReactNode; children: ReactNode }

/** A titled section of a page. Takes the focus if the focused element disappears. */
export function Section({ title, help, action, children }: Props) {
  const id = useId()
  return (
    <section aria-labelledby={id} tabIndex={-1}>
      <div className={css.sectionHead}>
        <div>
          <h2 id={id} className="heading">
            {title}
          </h2>
          {help && <p className="second-line">{help}</p>}
        </div>
        {action}
      </div>
      {children}
    </section>
  )
}
