import { Children, type ReactNode } from 'react'
import css from './breadcrumb.module.css'

/** Breadcrumb: links to the parent pages, then the title of the page. */
export function Breadcrumb({ children }: { children: ReactNode }) {
  return (
    <nav aria-label="Breadcrumb">
      <ol className={css.path}>
        {Children.map(children, (place) => (
          <li>{place}</li>
        ))}
      </ol>
    </nav>
  )
}
