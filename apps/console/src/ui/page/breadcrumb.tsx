import { Children, type ReactNode } from 'react'
import css from './breadcrumb.module.css'

/** Where a page stands: links to the pages above it, then its own name. */
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
